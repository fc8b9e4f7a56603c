// Package pytorch records programs that run on PyTorch itself: gradtui's end of the PyTorch
// engine.
//
// The recorder inside the program (python/src/gradtui/_recorder) connects at a socket
// (recorder.go) and sends records. It may be a program that gradtui has started, one that it
// has not ([Receiver], receiver.go), or the ranks of a distributed program (ranks.go).
//
// A [Translator] (translator.go) turns records into events of a tape. Records say as little
// as possible: which operation ran on which tensors, that a tensor died, that a backward pass
// began. What follows from that is worked out here. The translator keeps account of what the
// tape refers to and the program does not name: storages and version counters (tensors.go),
// the graph with its AccumulateGrad nodes (nodes.go), and what runs in a backward pass in
// which order (pass.go, derive.go). Operations that look alike are described once
// (signatures.go), so that the record of an operation (ops.go) is a few numbers. All other
// records are in the table of records.go; package protocol has their fields.
//
// What comes from the program is not trusted: a damaged record is an error, after which the
// recording ends; the tape stays what it was.
package pytorch

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A Translator puts the records of a program on a tape.
type Translator struct {
	// Gate, if it is not nil, may stop the program.
	Gate *control.Gate
	// Variable, if it is not nil, is called with the name and the value of each global
	// variable that was asked for, when the program ends.
	Variable func(name string, v engine.Variable)

	tape     *graph.Tape
	began    time.Time
	batch    graph.Batch
	header   graph.Header
	clock    float64       // of the program, when the translator began; 0: not known yet
	told     time.Duration // when the newest operation of the program was
	arrived  time.Duration // when the frame came
	stopping bool          // the gate wants the program to stop
	paused   bool          // the program stands in the middle of a record
	frame    *unfinished   // of the newest frame
	over     bool          // the program has said goodbye
	derived  uint          // nodes of backward passes that were not seen running

	sites      *agent.Sites[*tensor, marshal.Tuple]
	layouts    map[int]*layout
	signatures map[int]*signature
	tensors    tensors
	nodes      nodes
	passes     passes
	modules    map[graph.ThreadID]int // that were entered and not left

	op operation // the newest: its memory is used again
}

// NewTranslator returns a translator that writes to a tape.
func NewTranslator(tape *graph.Tape) *Translator {
	t := &Translator{
		tape: tape, began: time.Now(),
		layouts: map[int]*layout{}, signatures: map[int]*signature{}, modules: map[graph.ThreadID]int{},
	}
	t.tensors.init()
	t.nodes.init()
	t.passes.init()
	t.sites = agent.NewSites[*tensor, marshal.Tuple](tape, t.bind, func(x *tensor) bool { return !x.dead })
	return t
}

// A Sync is what the program waits for at the end of a frame: an answer with its number.
type Sync struct {
	Number int
	Asked  bool
}

// maxValues bounds the values in a record.
const maxValues = 4 << 20

// An unfinished frame is one of which records are left.
type unfinished struct {
	dec  marshal.Decoder
	left int // records
	sync Sync
}

// Frame puts the records of a frame on the tape, as they come from the
// program. Where the gate stops the program, Frame waits.
func (t *Translator) Frame(data []byte) (Sync, error) {
	r := &unfinished{}
	r.dec.Reset(data, marshal.Plain{})
	n, err := r.dec.Sequence()
	if err != nil {
		return Sync{}, marshal.Damaged("frame", err)
	}
	r.left = n
	t.arrived = time.Since(t.began)
	if t.told == 0 {
		t.told = t.arrived
	}
	outer := t.frame
	t.frame = r
	err = t.finish()
	t.frame = outer
	return r.sync, err
}

// finish puts what is left of the newest frame on the tape.
func (t *Translator) finish() error {
	r := t.frame
	for r.left > 0 {
		if r.sync.Asked {
			return marshal.Damaged("frame", nil)
		}
		r.left--
		r.dec.Limit(maxValues)
		record, err := r.dec.Value()
		if err != nil {
			return marshal.Damaged("record", err)
		}
		if seconds, ok := record.(float64); ok {
			t.time(seconds)
			continue
		}
		t.header.Time = t.told
		sync, err := t.record(record)
		if err != nil {
			return err
		}
		if sync.Asked {
			r.sync = sync
		}
	}
	return nil
}

// Amid puts frames on the tape that the program has sent while the gate holds it at a stop: they come after
// what is left of the frame that it stopped at. It reports false if it stands in the middle of a record, so that
// they have to wait until the program goes on.
func (t *Translator) Amid(frames [][]byte) (done bool, err error) {
	if t.paused || t.frame == nil {
		return false, nil
	}
	header := t.header
	defer func() { t.header.Stack, t.header.Thread = header.Stack, header.Thread }()
	if err := t.finish(); err != nil {
		return true, err
	}
	for _, f := range frames {
		sync, err := t.Frame(f)
		if err != nil {
			return true, err
		}
		if sync.Asked { // the program came to wait after the frame that it stopped at
			t.frame.sync = sync
		}
	}
	return true, nil
}

// time advances the tape's clock to the program's, between the previous time and the arrival of
// the frame.
func (t *Translator) time(seconds float64) {
	if t.clock == 0 {
		t.clock = seconds - t.arrived.Seconds()
	}
	told := t.arrived
	if d := seconds - t.clock; d < t.arrived.Seconds() {
		told = time.Duration(d * float64(time.Second))
	}
	t.told = max(t.told, told)
	t.header.Time = t.told
}

// NamesToCome reports whether a result waits for a name: it gets one when the program
// leaves the place where it is.
func (t *Translator) NamesToCome() bool { return t.sites.Waiting() }

// Numbers are those that the program gave some tensors, which are in order.
func (t *Translator) Numbers(of []graph.TensorID) []int {
	if len(of) == 0 {
		return nil
	}
	var found []int
	for number, x := range t.tensors.known {
		if _, ok := slices.BinarySearch(of, x.id); ok {
			found = append(found, number)
		}
	}
	slices.Sort(found)
	return found
}

// Over reports whether the program has said that it is over.
func (t *Translator) Over() bool { return t.over }

// record does what a record says.
func (t *Translator) record(record any) (s Sync, err error) {
	if number, ok := record.(int); ok {
		t.lock()
		t.died(number)
		t.unlock()
		return s, nil
	}
	r, _ := record.(marshal.Tuple)
	if len(r) == 0 {
		return s, marshal.Damaged("record", nil)
	}
	f := fields{t: t, v: r[1:]}
	if number, ok := r[0].(int); ok {
		t.lock()
		t.operation(number, &f)
		t.unlock()
		return s, f.damaged("operation")
	}
	kind, _ := r[0].(string)
	switch take := records[kind]; {
	case take != nil:
		t.lock()
		take(t, &f)
		t.unlock()
	case kind == "stack": // these three lock the tape themselves
		return s, t.sites.Define(f.v)
	case kind == "source":
		return s, t.sites.Source(f.v)
	case kind == "named":
		return s, t.sites.Called(f.v)
	case kind == "sync":
		s = Sync{f.int(0), true}
	case kind == "broken": // the program goes on without being recorded
		return s, fmt.Errorf("the recorder inside the program failed: %q", f.text(0))
	default:
		f.bad = true
	}
	return s, f.damaged("record " + strconv.Quote(kind))
}

func (t *Translator) lock() { t.batch = t.tape.Lock() }

// unlock lets others read what was written, and lets the program stop.
func (t *Translator) unlock() {
	t.tape.Unlock()
	if t.stopping {
		t.stopping = false
		t.Gate.Wait()
	}
}

// pause stops the program in the middle of a record, if the gate wants it.
func (t *Translator) pause() {
	if t.stopping {
		t.paused = true
		t.unlock()
		t.paused = false
		t.lock()
	}
}

func (t *Translator) append(e graph.Event) {
	t.batch.Append(t.header, e)
	if t.Gate != nil && t.Gate.Saw(t.batch, t.header, e) {
		t.stopping = true
	}
}

// at notes where the program is: at the call stack with a number, or where it was if the
// record does not know.
func (t *Translator) at(stack int) {
	if stack == 0 {
		return
	}
	t.sites.Settle(stack)
	t.pause()
	t.header.Stack = t.sites.Stack(stack)
}

// bind notes that a name means a tensor, unless that is what the tape heard last of it.
func (t *Translator) bind(x *tensor, name, scope graph.StringID) {
	if x.named != name || x.scope != scope {
		x.named, x.scope = name, scope
		t.append(&graph.NameBound{Name: name, Scope: scope, Tensor: x.id})
	}
}
