package graph

import (
	"runtime"
	"testing"
	"time"
)

// opSequence appends what an engine records for one op and its backward: the
// mix of events that a training loop produces.
type opSequence struct {
	tape    *Tape
	mul     StringID
	self    StringID
	node    NodeID
	tensor  TensorID
	created TensorCreated
	made    NodeCreated
	ran     OpRan
	ready   NodeReady
	done    NodeExecuted
	freed   SavedFreed
}

func newOpSequence(t *Tape) *opSequence {
	s := &opSequence{tape: t, mul: t.InternString("MulBackward0"), self: t.InternString("self")}
	t.InternStack(Stack{{File: "train.py", Line: 12, Col: 5, EndLine: 12, EndCol: 20, Func: "main"}})
	v := Value{DType: Float32, Count: 4, First: []float64{1, 2, 3, 4}}
	s.created = TensorCreated{Tensor: 1, Storage: 1, Counter: 1, Bytes: 16, DType: Float32, Shape: []int{4}, Flags: FlagRequiresGrad, Value: v}
	t.Append(Header{}, &s.created)
	s.made = NodeCreated{Node: 1, Name: s.mul, Outputs: 1, Variable: 1}
	t.Append(Header{}, &s.made)
	t.Append(Header{}, &BackwardBegan{Backward: 1})
	s.made = NodeCreated{Name: s.mul, Outputs: 1, Edges: make([]Edge, 2), Saved: []Saved{{Name: s.self, Tensor: 1}, {Name: s.self, Tensor: 1}}}
	g := Grad{Shape: []int{4}, Value: v}
	s.done = NodeExecuted{Backward: 1, In: []Grad{g}, Out: []Grad{g, g}}
	s.ran = OpRan{Op: s.mul, Inputs: make([]TensorID, 2), Outputs: make([]TensorID, 1)}
	s.node, s.tensor = 1, 1
	return s
}

const eventsPerOp = 6

func (s *opSequence) op() {
	h := Header{Stack: 1}
	b := s.tape.Lock()
	s.node++
	s.made.Node, s.made.Edges[0].Node, s.made.Saved[0].Tensor = s.node, s.node-1, s.tensor
	b.Append(h, &s.made)
	s.ran.Inputs[0] = s.tensor
	s.tensor++
	s.created.Tensor, s.created.Storage, s.created.Counter, s.created.Node = s.tensor, StorageID(s.tensor), CounterID(s.tensor), s.node
	b.Append(h, &s.created)
	s.ran.Outputs[0], s.ran.Node = s.tensor, s.node
	b.Append(h, &s.ran)
	s.tape.Unlock()
	b = s.tape.Lock()
	s.ready = NodeReady{1, s.node}
	b.Append(h, &s.ready)
	s.done.Node = s.node
	b.Append(h, &s.done)
	s.freed = SavedFreed{1, s.node}
	b.Append(h, &s.freed)
	s.tape.Unlock()
}

func millionEvents() *Tape {
	t := NewTape(Limits{})
	s := newOpSequence(t)
	for t.Len() < 1_000_000 {
		s.op()
	}
	return t
}

func BenchmarkAppend(b *testing.B) {
	s := newOpSequence(NewTape(Limits{}))
	for b.Loop() {
		s.op()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/eventsPerOp, "ns/event")
}

// maxPerEvent is what a tape and its graph may take, in bytes an event.
const maxPerEvent = 150

// BenchmarkMemory prints what a tape of a million events and its graph take.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		var before, tape, graph runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		t := millionEvents()
		runtime.GC()
		runtime.ReadMemStats(&tape)
		c := t.CursorAt(t.Len())
		runtime.GC()
		runtime.ReadMemStats(&graph)
		n := float64(t.Len())
		b.ReportMetric(float64(tape.HeapAlloc-before.HeapAlloc)/n, "tape-B/event")
		b.ReportMetric(float64(graph.HeapAlloc-tape.HeapAlloc)/n, "graph-B/event")
		total := float64(graph.HeapAlloc-before.HeapAlloc) / n
		b.ReportMetric(total, "total-B/event")
		if total > maxPerEvent {
			b.Fatalf("a tape and its graph take %.0f bytes an event, more than %d", total, maxPerEvent)
		}
		runtime.KeepAlive(c)
	}
}

func BenchmarkFold(b *testing.B) {
	t := millionEvents()
	for b.Loop() {
		t.CursorAt(t.Len())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.Len()), "ns/event")
}

func BenchmarkBackwardSeek(b *testing.B) {
	t := millionEvents()
	c := t.CursorAt(t.Len())
	var back, events time.Duration
	for b.Loop() {
		c.Seek(t.Len())
		start := time.Now()
		c.Seek(0)
		back += time.Since(start)
		events += time.Duration(t.Len())
	}
	b.ReportMetric(float64(back)/float64(events), "ns/event")
}

// BenchmarkNext moves event by event, as something that looks at each does.
func BenchmarkNext(b *testing.B) {
	t := millionEvents()
	for b.Loop() {
		c := NewCursor(t)
		for {
			if _, _, err := c.Next(); err != nil {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.Len()), "ns/event")
}
