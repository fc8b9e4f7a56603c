// Package eager turns the records of a program that runs on PyTorch itself into events of
// a tape.
//
// The recorder inside of the program (site/gradtui_agent) says as little as possible: which
// operation ran on which tensors, that a tensor died, that a backward pass began. What
// follows from that is worked out here. A [Translator] keeps account of what the tape
// refers to and the program does not name: storages and version counters (tensors.go), the
// graph with its AccumulateGrad nodes (nodes.go), and what runs in a backward pass in which
// order (pass.go, derive.go). Operations that look alike are described once, as a form
// (forms.go), so that the record of an operation (ops.go) is a few numbers. All other kinds
// of records are in the table of records.go.
//
// What comes from the program is not trusted: a damaged record is an error, after which the
// recording ends; the tape stays what it was.
package eager

import (
	"time"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A Translator puts the records of a program on a tape.
type Translator struct {
	// Gate, if it is not nil, may stop the program.
	Gate *control.Gate
	// Variable, if it is not nil, is told what global variables of the program hold at its
	// end.
	Variable func(Variable)

	tape     *graph.Tape
	began    time.Time
	batch    graph.Batch
	header   graph.Header
	clock    float64       // of the program, when the translator began; 0: not known yet
	told     time.Duration // when the newest operation of the program was
	stopping bool          // the gate wants the program to stop
	over     bool          // the program has said goodbye

	sites   *agent.Sites[*tensor, marshal.Tuple]
	layouts map[int]*layout
	forms   map[int]*form
	tensors tensors
	nodes   nodes
	passes  passes
	modules map[graph.ThreadID]int // that were entered and not left

	op operation // the newest: its memory is used again
}

// A Variable is what a global variable of a program holds at its end.
type Variable struct {
	Name, Type string
	Mapping    bool             // it is a dict
	Keys       []string         // of a mapping
	Tensors    []graph.TensorID // it, or those in the tuple, list or dict
}

// New returns a translator that writes to a tape.
func New(tape *graph.Tape) *Translator {
	t := &Translator{
		tape: tape, began: time.Now(),
		layouts: map[int]*layout{}, forms: map[int]*form{}, modules: map[graph.ThreadID]int{},
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

// Frame puts the records of a frame on the tape, in the form in which they come from the
// program. Where the gate stops the program, Frame waits.
func (t *Translator) Frame(data []byte) (s Sync, err error) {
	var d marshal.Decoder
	d.Reset(data, marshal.Plain{})
	n, err := d.Sequence()
	if err != nil {
		return s, marshal.Damaged("frame", err)
	}
	arrived := time.Since(t.began)
	now := min(arrived, t.told)
	if now == 0 {
		now = arrived
	}
	for range n {
		if s.Asked {
			return s, marshal.Damaged("frame", nil)
		}
		d.Limit(maxValues)
		record, err := d.Value()
		if err != nil {
			return s, marshal.Damaged("record", err)
		}
		if seconds, ok := record.(float64); ok {
			now = t.time(seconds, arrived)
			continue
		}
		t.header.Time = now
		if s, err = t.record(record); err != nil {
			return s, err
		}
	}
	return s, nil
}

// time is when the program's clock showed so many seconds. It lies between the time that
// was told before and the arrival of the frame.
func (t *Translator) time(seconds float64, arrived time.Duration) time.Duration {
	if t.clock == 0 {
		t.clock = seconds - arrived.Seconds()
	}
	told := arrived
	if d := seconds - t.clock; d < arrived.Seconds() {
		told = time.Duration(d * float64(time.Second))
	}
	t.told = max(t.told, told)
	return t.told
}

// Over reports whether the program has said that it is over.
func (t *Translator) Over() bool { return t.over }

// record does what a record says.
func (t *Translator) record(record any) (s Sync, err error) {
	switch r := record.(type) {
	case int:
		t.lock()
		defer t.unlock()
		t.died(r)
		return s, nil
	case marshal.Tuple:
		if number, ok := marshal.At[int](r, 0); ok {
			t.lock()
			defer t.unlock()
			f := fields{t: t, v: r[1:]}
			if t.operation(number, &f); f.bad {
				return s, marshal.Damaged("operation", nil)
			}
			return s, nil
		}
		kind, _ := marshal.At[string](r, 0)
		if kind == "sync" {
			number, ok := marshal.At[int](r, 1)
			if !ok {
				return s, marshal.Damaged("sync", nil)
			}
			return Sync{number, true}, nil
		}
		switch kind { // these lock the tape themselves
		case "stack":
			return s, t.sites.Define(r[1:])
		case "named":
			return s, t.sites.Called(r[1:])
		}
		if take := records[kind]; take != nil {
			f := fields{t: t, v: r[1:]}
			t.lock()
			defer t.unlock()
			take(t, &f)
			if f.bad {
				return s, marshal.Damaged("record "+kind, nil)
			}
			return s, nil
		}
	}
	return s, marshal.Damaged("record", nil)
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
		t.unlock()
		t.lock()
	}
}

func (t *Translator) append(e graph.Event) {
	t.batch.Append(t.header, e)
	if t.Gate != nil && t.Gate.Saw(t.batch, t.header, e) {
		t.stopping = true
	}
}

// at notes where the program is: at the call stack with a number.
func (t *Translator) at(stack int) {
	t.sites.Settle(stack)
	t.header.Stack = t.sites.Stack(stack)
}

// bind notes that a name means a tensor, unless that is what the tape heard last of it.
func (t *Translator) bind(x *tensor, name, scope graph.StringID) {
	if x.named != name || x.scope != scope {
		x.named, x.scope = name, scope
		t.append(&graph.NameBound{Name: name, Scope: scope, Tensor: x.id})
	}
}
