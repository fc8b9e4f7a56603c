package lookup

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
)

// A Summary counts what a tape holds up to a position.
type Summary struct {
	Events    int
	Tensors   int
	Leaves    int // tensors without a grad_fn that require grad
	Nodes     int
	Backwards int
	Failed    int // backward passes that ended with an error
	Mutations int // in-place changes outside of backward passes
	Freed     int // nodes whose saved tensors were freed
	Hazards   []Hazard
	HeldBytes uint64 // what saved tensors keep alive
	// Stopped says why recording stopped before the program did, or "".
	Stopped string
}

// Summarize counts what a graph holds at its position.
func Summarize(g *graph.Graph) Summary {
	s := Summary{
		Events: int(g.Pos()), Tensors: g.TensorCount(), Nodes: g.NodeCount(), Backwards: g.BackwardCount(),
		Mutations: mutations(g), Hazards: Hazards(g), HeldBytes: HeldBytes(g), Stopped: Stopped(g.Tape()),
	}
	for t := range g.Tensors() {
		if t.Leaf() && t.RequiresGrad {
			s.Leaves++
		}
	}
	for n := range g.Nodes() {
		if n.Freed {
			s.Freed++
		}
	}
	for i := range g.BackwardCount() {
		if b, ok := g.Backward(graph.BackwardID(i + 1)); ok && b.Failed {
			s.Failed++
		}
	}
	return s
}

// Stopped says why a recording was ended before the program, or "". A tape says it with
// its last event, after which only what the program printed and its source may come.
func Stopped(tape *graph.Tape) string {
	if why := tape.Stopped(); why != "" {
		return why
	}
	for at := tape.Len(); at > 0; at-- {
		_, e, err := tape.At(at - 1)
		switch e := e.(type) {
		case *graph.RecordingStopped:
			return e.Reason
		case *graph.OutputWritten, *graph.SourceRead:
		default:
			return ""
		}
		if err != nil {
			return ""
		}
	}
	return ""
}

// Failed returns the last event of a tape that says that an uncaught exception ended the
// program, or a thread of it; nil if there is none. It is near the end: after it the program only
// releases what it has.
func Failed(tape *graph.Tape) *graph.ProgramFailed {
	d := tape.NewDecoder()
	for at := tape.Len(); at > 0; at-- {
		if kind, err := d.Kind(at - 1); err != nil || kind != graph.KindProgramFailed {
			continue
		}
		if _, e, err := tape.At(at - 1); err == nil {
			return e.(*graph.ProgramFailed)
		}
	}
	return nil
}

// HeldBytes returns the bytes of the storages that saved tensors keep alive, for nodes that were
// neither freed nor released. A shared storage counts once.
func HeldBytes(g *graph.Graph) uint64 {
	held := map[graph.StorageID]bool{}
	var sum uint64
	for n := range g.Nodes() {
		if n.Freed || n.Released {
			continue
		}
		for _, s := range n.Saved {
			t, ok := g.Tensor(s.Tensor)
			if !ok || held[t.Storage] {
				continue
			}
			held[t.Storage] = true
			bytes, _ := g.Storage(t.Storage)
			sum += bytes
		}
	}
	return sum
}

// mutations counts the in-place changes up to the graph's position. What a
// backward pass adds to gradients in place does not count.
func mutations(g *graph.Graph) int {
	t := NewTimeline(g.Tape())
	t.Extend(g.Pos())
	return int(t.Count(0, g.Pos())[ActivityInPlace])
}

// String returns the summary in a few lines. But for the reason why recording stopped,
// which is the last, they have at most 80 columns.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s (%s)\n", phrase.Count(s.Events, "event"), phrase.Count(s.Tensors, "tensor"),
		phrase.Count(s.Leaves, "leaf that requires grad", "leaves that require grad"))
	fmt.Fprintf(&b, "%s (%d freed), %s", phrase.Count(s.Nodes, "node"), s.Freed, phrase.Count(s.Backwards, "backward pass", "backward passes"))
	if s.Failed > 0 {
		fmt.Fprintf(&b, " (%d failed)", s.Failed)
	}
	fmt.Fprintf(&b, "\n%s in place; saved tensors hold %s", phrase.Count(s.Mutations, "change"), inspect.Bytes(s.HeldBytes))
	if n := len(s.Hazards); n > 0 {
		fmt.Fprintf(&b, "\n%s changed in place since: backward would fail there", phrase.Count(n, "saved tensor was", "saved tensors were"))
	}
	if s.Stopped != "" {
		fmt.Fprintf(&b, "\nthe recording is not complete: %s", strings.Join(strings.Fields(s.Stopped), " "))
	}
	return b.String()
}
