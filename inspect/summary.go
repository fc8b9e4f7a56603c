package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Summary counts what a tape holds up to a position.
type Summary struct {
	Events    int
	Tensors   int
	Leaves    int // tensors without a grad_fn that require grad
	Nodes     int
	Backwards int
	Failures  []Failure // of backward passes
	Mutations int       // in-place changes
	Freed     int       // nodes whose saved tensors were freed
	Hazards   []Hazard  // in nodes that were not freed
	// HeldBytes is the memory of the distinct storages that saved tensors of
	// nodes that were not freed keep alive.
	HeldBytes uint64
	// Stopped says why recording stopped before the program did, or "".
	Stopped string
}

// Summarize counts what a graph holds at its position.
func Summarize(g *graph.Graph) Summary {
	s := Summary{Events: int(g.Pos()), Tensors: g.TensorCount(), Nodes: g.NodeCount(), Backwards: g.BackwardCount(), Stopped: g.Tape().Stopped()}
	held := map[graph.StorageID]bool{}
	for t := range g.Tensors() {
		if t.Leaf() && t.RequiresGrad {
			s.Leaves++
		}
	}
	for n := range g.Nodes() {
		if n.Freed {
			s.Freed++
			continue
		}
		for _, sv := range n.Saved {
			t, ok := g.Tensor(sv.Tensor)
			if !ok {
				continue
			}
			if !held[t.Storage] {
				held[t.Storage] = true
				bytes, _ := g.Storage(t.Storage)
				s.HeldBytes += bytes
			}
		}
	}
	s.Hazards = Hazards(g)
	s.Failures = failures(g)
	d := g.Tape().NewDecoder()
	for p := range g.Pos() {
		if k, err := d.Kind(p); err == nil && k == graph.KindMutated {
			s.Mutations++
		}
	}
	return s
}

// Failed reports whether a backward pass failed in a node.
func (s *Summary) Failed(n graph.NodeID) bool {
	return slices.ContainsFunc(s.Failures, func(f Failure) bool { return f.Node == n })
}

// String is the summary in a few lines of at most 80 columns.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s (%s), %s", count(s.Events, "event"), count(s.Tensors, "tensor"), count(s.Leaves, "leaf that requires grad", "leaves that require grad"), count(s.Nodes, "node"))
	fmt.Fprintf(&b, "\n%s", count(s.Backwards, "backward pass", "backward passes"))
	if len(s.Failures) > 0 {
		fmt.Fprintf(&b, ", %d failed", len(s.Failures))
	}
	fmt.Fprintf(&b, "; tensors changed in place %s", count(s.Mutations, "time"))
	fmt.Fprintf(&b, "\nsaved tensors hold %s; those of %s were freed", Bytes(s.HeldBytes), count(s.Freed, "node"))
	if s.Stopped != "" {
		fmt.Fprintf(&b, "\nthe recording is not complete: %s", s.Stopped)
	}
	return b.String()
}

// count writes a number and the word for it.
func count(n int, words ...string) string {
	word := words[0]
	if n != 1 {
		if len(words) > 1 {
			word = words[1]
		} else {
			word += "s"
		}
	}
	return fmt.Sprintf("%d %s", n, word)
}

// Bytes writes a number of bytes for people: 980 B, 1.5 KiB, 2.0 GiB.
func Bytes(n uint64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), ""
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"} {
		if f < 1024 {
			break
		}
		f, unit = f/1024, u
	}
	return fmt.Sprintf("%.1f %s", f, unit)
}
