package fixes

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// updateInPlace changes a parameter instead of making a new tensor.
func updateInPlace(s *scene) string {
	st := s.primary()
	if st == nil || !s.update(st) {
		return ""
	}
	for _, r := range s.f.Related {
		if r.Label == "so does this" {
			if other := s.span(r); other == nil || !other.Understood || !s.update(other) {
				return ""
			}
		}
	}
	return "change the parameter in place"
}

// update writes one update in place, and clears the gradient after it if nothing in the program does.
func (s *scene) update(st *pysyntax.Stmt) bool {
	if !st.First || !st.Last || !inBlock(st) || st.Keyword != "" {
		return false
	}
	if st.Op == "" { // p.data.add(…), without its result
		of, m := st.Value.Method()
		if of == nil || outOf(m+"_") == "" {
			return false
		}
		s.insert(st.Value.X.End, "_")
		return true
	}
	if st.Op != "=" || len(st.Targets) != 1 || st.Annotated {
		return false
	}
	target := st.Targets[0]
	name := s.text(target)
	if target.Dotted() == "" && target.Form != pysyntax.Subscript {
		return false
	}
	v := st.Value
	turn := strings.Contains(s.f.Message, "in each turn of the loop")
	var line edit
	switch {
	case !turn && v.Form == pysyntax.Binary && (v.Text == "-" || v.Text == "+") && s.text(v.X) == name:
		line = edit{target.End, v.Y.Start, " " + v.Text + "= "}
	case turn && target.Form == pysyntax.Name && loopVariable(st, name):
		line = edit{target.End, v.Start, ".copy_("}
		s.insert(v.End, ")")
	default:
		return false
	}
	inner := st.Indent
	if !s.noGrad(st) {
		if !s.wrapNoGrad(st) {
			return false
		}
		inner += s.step()
	}
	s.edits = append(s.edits, line)
	if !turn && !slices.ContainsFunc([]string{"zero_grad", ".grad.zero_", ".grad = None"}, func(t string) bool { return strings.Contains(s.file.Text, t) }) {
		s.insert(s.lineEnd(st.End), s.eol()+inner+name+".grad = None")
	}
	return true
}

// shareWeight assigns a weight itself instead of a copy.
func shareWeight(s *scene) string {
	st := s.primary()
	if st == nil || st.Op != "=" || called(st.Value) != "Parameter" || len(st.Value.Args) != 1 {
		return ""
	}
	e := st.Value.Args[0].Value
	for {
		of, m := e.Method()
		switch {
		case m == "clone" || m == "detach":
			e = of
			continue
		case e.Form == pysyntax.Attribute && e.Text == "data":
			e = e.X
			continue
		}
		break
	}
	if e.Form != pysyntax.Attribute || e.Text != "weight" || e.Dotted() == "" {
		return ""
	}
	s.replace(st.Value, s.text(e))
	return "share the weight"
}
