package export

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Identifiers in exports: t12 is a tensor, n7 a node, g1 a group of nodes, m3 a
// call of a module. The numbers are the same as on the tape, so they mean the same in every
// export of it.
func tensorID(id graph.TensorID) string { return "t" + strconv.FormatUint(uint64(id), 10) }
func nodeID(id graph.NodeID) string     { return "n" + strconv.FormatUint(uint64(id), 10) }
func moduleID(id graph.ModuleID) string { return "m" + strconv.FormatUint(uint64(id), 10) }

func (p *plan) unitID(u unit) string {
	if u < 0 {
		return "g" + strconv.Itoa(int(^u)+1)
	}
	return nodeID(p.nodes[u].id)
}

// shape is "(4, 16)", as torchviz writes it: without a comma in "(3)".
func shape(dims []int) string {
	b := []byte{'('}
	for i, d := range dims {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(d), 10)
	}
	return string(append(b, ')'))
}

// name is the name of a tensor, or "".
func (s *selection) name(t *graph.Tensor) string {
	if s.names != nil {
		return s.names[t.ID]
	}
	return t.Name
}

// title is the name of a tensor, cleaned, or its identifier.
func (s *selection) title(t *graph.Tensor) string {
	if n := label(s.name(t), maxLabel); strings.TrimSpace(n) != "" {
		return n
	}
	return tensorID(t.ID)
}

// typed is the shape and element type of a tensor, and its device if that is not the CPU.
func typed(t *graph.Tensor) string {
	return shape(t.Shape) + " " + t.DType.String() + label(graph.DeviceText(t.Device), maxLabel)
}

// version is "v2".
func version(v uint32) string { return "v" + strconv.FormatUint(uint64(v), 10) }

// thousands writes a number with commas: 12,345.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted is "1 node", "12 nodes".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	switch {
	case strings.HasSuffix(what, "y"):
		return thousands(n) + " " + what[:len(what)-1] + "ies"
	case strings.HasSuffix(what, "ch"):
		return thousands(n) + " " + what + "es"
	}
	return thousands(n) + " " + what + "s"
}

// multiple is the mark of a link that stands for n edges.
func multiple(n int) string { return "×" + thousands(n) }

// statusText says how far a node is, and in which pass.
func (s *selection) statusText(i int, n *graph.Node) string {
	status := s.status(i, n)
	switch {
	case status == statusPending:
		return status + " in backward #" + strconv.Itoa(int(s.running))
	case n.Status == graph.Idle:
		return status
	case n.Status == graph.Waiting:
		status += " for " + counted(n.Waiting, "gradient")
	}
	return status + " in backward #" + strconv.Itoa(int(n.Backward))
}

// freedBy is the pass that freed what a node saved; zero: none, or unknown.
func (s *selection) freedBy(n *graph.Node) graph.BackwardID {
	if _, e, err := s.decoder.ReadUntimed(n.FreedAt); err == nil {
		if f, ok := e.(*graph.SavedFreed); ok {
			return f.Backward
		}
	}
	return 0
}

// freedText says which pass freed what a node saved.
func (s *selection) freedText(n *graph.Node) string {
	if pass := s.freedBy(n); pass != 0 {
		return "freed by backward #" + strconv.Itoa(int(pass))
	}
	return "freed"
}

// source is the line of the program that caused an event; ok is false when the
// tape does not know it.
func (s *selection) source(at graph.Pos) (f graph.Frame, ok bool) {
	h, _, err := s.decoder.ReadUntimed(at)
	if err != nil {
		return f, false
	}
	f = s.g.Tape().Stack(h.Stack).Top()
	return f, f.File != ""
}

// sourceText is "train.py:12 in forward", or "".
func (s *selection) sourceText(at graph.Pos) string {
	f, ok := s.source(at)
	if !ok {
		return ""
	}
	text := label(path.Base(filepath.ToSlash(f.File)), maxLabel)
	if f.Line > 0 {
		text += ":" + strconv.Itoa(f.Line)
	}
	if f.Func != "" {
		text += " in " + label(f.Func, maxLabel)
	}
	return text
}

// modifiedText says that a saved tensor is not what it was.
func modifiedText(sv *graph.SavedTensor) string {
	return "modified: saved at " + version(sv.Version) + ", now " + version(sv.Current)
}

// savedWhat names the tensor in a slot: "h (4, 16) float32".
func (s *selection) savedWhat(sv *graph.SavedTensor) string {
	t, ok := s.g.Tensor(sv.Tensor)
	if !ok {
		return tensorID(sv.Tensor)
	}
	return s.title(&t) + " " + typed(&t)
}

// tensorFacts are what is worth saying about a tensor besides its name, shape
// and type, each fact once. Version 0 goes without saying.
func (s *selection) tensorFacts(t *graph.Tensor) []string {
	var facts []string
	if t.Version > 0 {
		facts = append(facts, version(t.Version))
	}
	if t.Leaf() {
		facts = append(facts, leafText(t))
	}
	if t.RetainsGrad {
		facts = append(facts, "retains grad")
	}
	if base, ok := s.g.Tensor(t.Base); ok {
		facts = append(facts, "view of "+s.title(&base))
	}
	switch {
	case t.Grad != 0:
		facts = append(facts, ".grad is "+tensorID(t.Grad))
	case t.Leaf() && t.RequiresGrad:
		facts = append(facts, "no .grad")
	}
	if t.Released {
		facts = append(facts, "released")
	}
	return facts
}

// leafText says what kind of leaf a tensor is.
func leafText(t *graph.Tensor) string {
	switch {
	case !t.RequiresGrad:
		return "leaf that requires no grad"
	case t.Flags&graph.FlagParameter != 0:
		return "parameter"
	}
	return "leaf"
}
