package compare

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Rerun compares two runs of one program event by event while the second is recorded. Times do not count, nor
// do events beside the run, nor values that only one tape has, nor does what memory holds before anything is written to it.
type Rerun struct {
	first, second runWalker
	stacks        map[[2]graph.StackID]bool
	raw           map[graph.StorageID]bool           // storages that nothing was written to yet
	holds         map[graph.TensorID]graph.StorageID // of tensors that had one
	differs       bool
	lines         bool
}

// NewRerun returns a comparison of a second run with the first one.
func NewRerun(first, second *graph.Tape) *Rerun {
	return &Rerun{
		first: runWalker{tape: first, dec: first.NewDecoder()}, second: runWalker{tape: second, dec: second.NewDecoder()},
		stacks: map[[2]graph.StackID]bool{}, raw: map[graph.StorageID]bool{},
		holds: map[graph.TensorID]graph.StorageID{},
	}
}

// ByLines lets columns not count: a line of the second run was edited.
func (r *Rerun) ByLines() { r.lines = true }

// Advance compares what both tapes have up to a position of the first one. same is false from the first
// event on that differs, which stands at First and Second then.
func (r *Rerun) Advance(to graph.Pos) (same bool) {
	for !r.differs && r.first.next(to) && r.second.next(r.second.tape.Len()) {
		if r.differs = !r.alike(); !r.differs {
			r.first.pos++
			r.second.pos++
		}
	}
	return !r.differs
}

// First is how far the first tape is the same as the second one.
func (r *Rerun) First() graph.Pos { return r.first.pos }

// Second is how far the second tape is the same as the first one.
func (r *Rerun) Second() graph.Pos { return r.second.pos }

// alike compares the next events of both tapes.
func (r *Rerun) alike() bool {
	a, b := &r.first, &r.second
	if a.err != nil || b.err != nil || a.event.Kind() != b.event.Kind() || a.head.Thread != b.head.Thread || !r.sameStack() {
		return false
	}
	switch e := a.event.(type) {
	case *graph.TensorCreated:
		if r.raw[e.Storage] || a.isRaw(e) {
			r.raw[e.Storage], r.holds[e.Tensor] = true, e.Storage
			e.Value, b.event.(*graph.TensorCreated).Value = graph.Value{}, graph.Value{}
		}
	case *graph.Mutated:
		delete(r.raw, r.holds[e.Tensor])
	case *graph.TensorReleased:
		delete(r.holds, e.Tensor)
	}
	if r.sameText() {
		return true
	}
	forgetUnknown(reflect.ValueOf(a.event), reflect.ValueOf(b.event))
	return r.sameText()
}

func (r *Rerun) sameText() bool {
	a, b := &r.first, &r.second
	a.text, b.text = a.tape.EventText(a.text[:0], a.event), b.tape.EventText(b.text[:0], b.event)
	return bytes.Equal(a.text, b.text)
}

var valueType = reflect.TypeFor[graph.Value]()

// forgetUnknown takes the values out of two events that only one of them has: a program that is stopped
// is looked at more closely.
func forgetUnknown(a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Pointer:
		forgetUnknown(a.Elem(), b.Elem())
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			forgetUnknown(a.Index(i), b.Index(i))
		}
	case reflect.Struct:
		if a.Type() != valueType {
			for i := range a.NumField() {
				forgetUnknown(a.Field(i), b.Field(i))
			}
			return
		}
		if !a.Addr().Interface().(*graph.Value).Known() || !b.Addr().Interface().(*graph.Value).Known() {
			a.SetZero()
			b.SetZero()
		}
	}
}

func (r *Rerun) sameStack() bool {
	ids := [2]graph.StackID{r.first.head.Stack, r.second.head.Stack}
	same, known := r.stacks[ids]
	if !known {
		same = slices.EqualFunc(r.first.tape.Stack(ids[0]), r.second.tape.Stack(ids[1]), func(a, b graph.Frame) bool {
			return a == b || r.lines && a.File == b.File && a.Func == b.Func && a.Line == b.Line
		})
		r.stacks[ids] = same
	}
	return same
}

// A runWalker goes through the events that a program causes itself.
type runWalker struct {
	tape  *graph.Tape
	dec   *graph.Decoder
	ahead *graph.Decoder // reads what comes next
	pos   graph.Pos
	head  graph.Header
	event graph.Event
	err   error
	text  []byte
}

// next reads the next event before a position; false if there is none.
func (w *runWalker) next(before graph.Pos) bool {
	for ; w.pos < min(before, w.tape.Len()); w.pos++ {
		w.head, w.event, w.err = w.dec.ReadUntimed(w.pos)
		if w.err != nil || !w.event.Kind().Beside() {
			return true
		}
	}
	return false
}

// isRaw reports whether a tensor that was just made is the result of an operation that fills nothing in.
func (w *runWalker) isRaw(e *graph.TensorCreated) bool {
	if w.ahead == nil {
		w.ahead = w.tape.NewDecoder()
	}
	_, next, err := w.ahead.ReadUntimed(w.pos + 1)
	op, ok := next.(*graph.OpRan)
	return err == nil && ok && slices.Contains(op.Outputs, e.Tensor) && strings.Contains(w.tape.String(op.Op), "empty")
}
