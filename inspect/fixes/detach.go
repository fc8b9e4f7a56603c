package fixes

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// tensor is the name of the first tensor of the finding, without quotes; "" if it has none.
func (s *scene) tensor() string {
	if len(s.f.Tensors) == 0 || strings.HasPrefix(s.f.Tensors[0], "a ") {
		return ""
	}
	return strings.Trim(s.f.Tensors[0], "`")
}

// start says what a variable holds before it holds a tensor.
type start int

const (
	startsTensor start = iota
	startsNone
	startsNumber // or a list
	startsTuple
)

// starts looks at the assignments of plain values to a name, or to an attribute of its class.
func (s *scene) starts(name string) (found start) {
	for _, st := range s.file.All {
		if st.Op != "=" || st.Value == nil {
			continue
		}
		for _, t := range st.Targets {
			if t.Dotted() != name {
				continue
			}
			switch v := st.Value.Bare(); {
			case v.Form == pysyntax.Number:
				return startsNumber
			case v.Form == pysyntax.Name && v.Text == "None":
				found = startsNone
			case v.Form == pysyntax.Tuple:
				return startsTuple
			case v.Form == pysyntax.List, v.Form == pysyntax.Comprehension, v.Form == pysyntax.Other:
				return startsNumber
			}
		}
	}
	if found == startsTensor && s.mentionsNone(name) {
		found = startsNone
	}
	return found
}

// mentionsNone reports whether the program asks whether a name is None.
func (s *scene) mentionsNone(name string) bool {
	return strings.Contains(s.file.Text, name+" is None") || strings.Contains(s.file.Text, name+" is not None") || strings.Contains(s.file.Text, name+"=None")
}

// cutBefore detaches what a variable has, before a statement that computes its next value.
func (s *scene) cutBefore(st *pysyntax.Stmt, name string) bool {
	line := name + " = " + name + ".detach()"
	switch s.starts(name) {
	case startsNumber:
		return false
	case startsTuple:
		line = name + " = tuple(state.detach() for state in " + name + ")"
	case startsNone:
		line = "if " + name + " is not None:" + s.eol() + st.Indent + s.step() + line
	}
	return s.assignable(st, name) && !loopVariable(st, name) && s.before(st, line)
}

// assignDetached assigns the result of detach(), which was dropped.
func assignDetached(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op != "" {
		return ""
	}
	parts := []*pysyntax.Expr{st.Value}
	if st.Value.Form == pysyntax.Tuple {
		parts = nil
		for _, a := range st.Value.Args {
			parts = append(parts, a.Value)
		}
	}
	var names []string
	for _, e := range parts {
		of, m := e.Method()
		if m != "detach" || of.Dotted() == "" || !s.assignable(st, of.Dotted()) || !s.used(st, of.Dotted()) {
			return ""
		}
		names = append(names, of.Dotted())
	}
	s.insert(st.Start, strings.Join(names, ", ")+" = ")
	return "assign the result of detach()"
}

// detachState cuts the history of a state where an iteration begins.
func detachState(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || !strings.Contains(s.f.Message, "carries the graph of an earlier iteration") {
		return ""
	}
	const title = "cut the history between iterations"
	if appended := s.only(st, calls("append")); appended != nil {
		if len(appended.Args) != 1 {
			return ""
		}
		kept := appended.Args[0].Value.Bare()
		if kept.Form == pysyntax.Tuple {
			i := slices.IndexFunc(kept.Args, func(a pysyntax.Arg) bool { return a.Value.Dotted() != "" && a.Value.Dotted() == s.tensor() })
			if i < 0 {
				return ""
			}
			kept = kept.Args[i].Value
		}
		if kept.Dotted() == "" || kept.Dotted() != s.tensor() {
			return ""
		}
		s.attach(kept, ".detach()")
		return title
	}
	if st.Op != "=" || len(st.Targets) != 1 {
		return ""
	}
	if st.Value.Dotted() != "" {
		s.attach(st.Value, ".detach()")
		return title
	}
	name := ""
	each(st.Targets[0], func(e *pysyntax.Expr) {
		if d := e.Dotted(); d != "" && d != "_" && s.reads(st, d) > 0 && (name == "" || d == s.tensor()) {
			name = d
		}
	})
	if name == "" || s.related("the old graph was built here") != nil || !s.cutBefore(st, name) {
		return ""
	}
	return title
}

// detachTotal adds up values instead of graphs.
func detachTotal(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || len(st.Targets) != 1 || !strings.Contains(s.f.Message, "one graph grows") && !strings.Contains(s.f.Message, "keeps the graphs of all its terms") {
		return ""
	}
	name := st.Targets[0].Dotted()
	const title = "add up values without their graphs"
	switch v := st.Value; {
	case name == "":
		return ""
	case st.Op == "+=" && s.noConstant(v):
		s.attach(v, ".detach()")
		return title
	case st.Op != "=":
		return ""
	case v.Form == pysyntax.Binary && v.Text == "+" && v.X.Dotted() == name && s.reads(st, name) == 1 && s.noConstant(v.Y):
		s.attach(v.Y, ".detach()")
		return title
	case v.Form == pysyntax.Binary && v.Text == "+" && v.Y.Dotted() == name && s.reads(st, name) == 1 && s.noConstant(v.X):
		s.attach(v.X, ".detach()")
		return title
	case s.reads(st, name) > 0 && strings.Contains(s.f.Message, "one graph grows") && len(s.f.Related) == 0 && s.cutBefore(st, name):
		return title
	}
	return ""
}

// noConstant reports whether an expression computes something of a tensor, as far as its form shows.
func (s *scene) noConstant(e *pysyntax.Expr) bool {
	e = e.Bare()
	switch e.Form {
	case pysyntax.Number, pysyntax.String, pysyntax.List, pysyntax.Tuple, pysyntax.Comprehension, pysyntax.Other:
		return false
	}
	_, m := e.Method()
	return m != "item" && called(e) != "float"
}

// detachKept keeps tensors without their graphs.
func detachKept(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" {
		return ""
	}
	var kept *pysyntax.Expr
	switch call := st.Value; {
	case st.Op == "=" && len(st.Targets) == 1 && st.Targets[0].Form == pysyntax.Subscript:
		kept = st.Value
	case st.Op == "+=" && st.Value.Form == pysyntax.List && len(st.Value.Args) == 1:
		kept = st.Value.Args[0].Value
	case st.Op != "" || call.Form != pysyntax.Call:
	case called(call) == "append" && len(call.Args) == 1:
		kept = call.Args[0].Value
	case called(call) == "setattr" && len(call.Args) == 3:
		kept = call.Args[2].Value
	default:
		kept = s.only(st, func(e *pysyntax.Expr) bool { return e.Dotted() != "" && e.Dotted() == s.tensor() })
	}
	if kept == nil || kept.Dotted() == "" && kept.Form != pysyntax.Call && kept.Form != pysyntax.Binary || !s.noConstant(kept) {
		return ""
	}
	s.attach(kept, ".detach()")
	return "keep the values without their graph"
}

// detachCached keeps a tensor of an object without its history, if nothing else reads it.
func detachCached(s *scene) string {
	st := s.primary()
	if st == nil || st.Op != "=" || len(st.Targets) != 1 || st.Targets[0].Form != pysyntax.Attribute {
		return ""
	}
	attribute, read := st.Targets[0].Text, 0
	for _, other := range s.file.All {
		if other == st {
			continue
		}
		if !other.Understood && strings.Contains(s.file.Text[other.Start:other.End], "."+attribute) {
			return ""
		}
		other.Each(func(e *pysyntax.Expr) {
			if e.Form == pysyntax.Attribute && e.Text == attribute {
				read++
			}
		})
	}
	if read > 0 || !s.noConstant(st.Value) {
		return ""
	}
	s.attach(st.Value, ".detach()")
	return "keep the values without their history"
}

// detachReused adds the value of a loss whose pass is over.
func detachReused(s *scene) string {
	if !strings.HasPrefix(s.f.Help, "do not reuse a loss") {
		return ""
	}
	st, pass := s.primary(), s.related("this backward pass freed the graph")
	call := s.only(pass, calls("backward"))
	if st == nil || call == nil {
		return ""
	}
	of, _ := call.Method()
	if of == nil || of.Form != pysyntax.Name {
		return ""
	}
	reused := s.only(st, func(e *pysyntax.Expr) bool { return e.Dotted() == of.Dotted() })
	if made := s.maker(of.Text); reused == nil || st.Op == "=" && st.Targets[0] == reused || made == nil || s.shares(made.Value, st) {
		return ""
	}
	s.attach(reused, ".detach()")
	return "use the value of `" + of.Dotted() + "`, whose pass is over"
}

// shares reports whether a statement uses a variable that an expression computes with.
func (s *scene) shares(e *pysyntax.Expr, st *pysyntax.Stmt) bool {
	var names, callees []string
	e.Each(func(part *pysyntax.Expr) {
		switch {
		case part.Form == pysyntax.Name:
			names = append(names, part.Text)
		case part.Form == pysyntax.Call && part.X.Form == pysyntax.Name:
			callees = append(callees, part.X.Text)
		}
	})
	return slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(callees, name) && s.reads(st, name) > 0 })
}

// detachTarget makes a constant of what a loss takes for one.
func detachTarget(s *scene) string {
	st := s.primary()
	if st == nil || st.Value == nil {
		return ""
	}
	if strings.Contains(s.f.Message, "the difference that is added") {
		return s.straightThrough(st)
	}
	const title = "take the target as a constant"
	switch {
	case st.Keyword == "return" && strings.HasPrefix(s.f.Message, "the target "):
		s.attach(st.Value, ".detach()")
	case st.Op != "=" || len(st.Targets) != 1 || st.Targets[0].Form != pysyntax.Name:
		return ""
	case strings.HasPrefix(s.f.Message, "the target `"+st.Targets[0].Text+"`"):
		s.attach(st.Value, ".detach()")
	case strings.HasPrefix(s.f.Message, "the baseline") && s.count(st, st.Targets[0].Text) == 1:
		s.attach(st.Value, ".detach()")
		return "take the baseline as a constant"
	default:
		return ""
	}
	return title
}

// count is how often the function of a statement reads a variable.
func (s *scene) count(st *pysyntax.Stmt, name string) (n int) {
	for _, other := range s.file.All {
		if function(other) == function(st) {
			n += s.reads(other, name)
		}
	}
	return n
}

// straightThrough writes q - x + x as (q - x).detach() + x.
func (s *scene) straightThrough(st *pysyntax.Stmt) string {
	var sum *pysyntax.Expr
	st.Each(func(e *pysyntax.Expr) {
		if e.Form == pysyntax.Binary && e.Text == "+" {
			for _, side := range []struct{ difference, x *pysyntax.Expr }{{e.X, e.Y}, {e.Y, e.X}} {
				d := side.difference.Bare()
				if d.Form == pysyntax.Binary && d.Text == "-" && side.x.Dotted() != "" && d.Y.Dotted() == side.x.Dotted() {
					sum = side.difference
				}
			}
		}
	})
	if sum == nil {
		return ""
	}
	s.attach(sum, ".detach()")
	return "let the gradient go through as if nothing was done"
}

// keepGraph takes away what cuts a gradient off.
func keepGraph(s *scene) string {
	st := s.primary()
	if st == nil {
		return ""
	}
	method := func(name string) *pysyntax.Expr {
		return s.only(st, func(e *pysyntax.Expr) bool { _, m := e.Method(); return m == name && len(e.Args) == 0 })
	}
	cut := func(e, of *pysyntax.Expr) string {
		if st.Op == "=" && st.Value == e && len(st.Targets) == 1 && st.Targets[0].Dotted() == of.Dotted() && of.Dotted() != "" {
			if !st.First || !st.Last || s.alone(st) || s.lineEnd(st.End) == len(s.file.Text) {
				return ""
			}
			s.edits = append(s.edits, edit{s.lineStart(st.Start), s.lineEnd(st.End) + len(s.eol()), ""})
			return "remove what cuts the gradient off"
		}
		s.edits = append(s.edits, edit{of.End, e.End, ""})
		return "use the tensor with its history"
	}
	switch {
	case strings.Contains(s.f.Message, "detach() cuts"):
		if e := method("detach"); e != nil {
			return cut(e, e.X.X)
		}
	case strings.Contains(s.f.Message, ".data cuts"):
		if e := s.only(st, func(e *pysyntax.Expr) bool { return e.Form == pysyntax.Attribute && e.Text == "data" }); e != nil {
			return cut(e, e.X)
		}
	case strings.Contains(s.f.Message, "item() cuts"):
		for _, t := range st.Targets {
			if d := t.Dotted(); d != "" && strings.Contains(s.file.Text, "tensor("+d) {
				return "" // which takes its value once more
			}
		}
		if e := method("item"); e != nil && !s.insideCall(st, e) {
			return cut(e, e.X.X)
		}
		if e := s.only(st, func(e *pysyntax.Expr) bool {
			return e.Form == pysyntax.Call && e.X.Dotted() == "float" && len(e.Args) == 1 && e.Args[0].Name == ""
		}); e != nil && !s.insideCall(st, e) {
			s.replace(e, s.operand(e.Args[0].Value, pysyntax.Tightest))
			return "use the tensor with its history"
		}
	case strings.Contains(s.f.Message, "sampling under no_grad cuts"):
		if e := s.only(st, calls("sample")); e != nil && e.X.Form == pysyntax.Attribute {
			s.insert(e.X.End-len("sample"), "r")
			return "draw a sample that has a gradient"
		}
	}
	return ""
}

// insideCall reports whether an expression is in an argument of a call, which may need a number.
func (s *scene) insideCall(st *pysyntax.Stmt, e *pysyntax.Expr) (is bool) {
	st.Each(func(call *pysyntax.Expr) {
		if call.Form == pysyntax.Call {
			for _, a := range call.Args {
				is = is || a.Value.Start <= e.Start && e.End <= a.Value.End
			}
		}
	})
	return is
}

// makeLeaf makes a leaf of a computed start value.
func makeLeaf(s *scene) string {
	st := s.primary()
	if st == nil || !strings.Contains(s.f.Help, "make the result a leaf") || st.Value == nil || !s.noConstant(st.Value) {
		return ""
	}
	if st.Keyword != "return" && (st.Op != "=" || len(st.Targets) != 1 || st.Targets[0].Dotted() == "") {
		return ""
	}
	s.attach(st.Value, ".detach().requires_grad_()")
	return "make the result a leaf"
}

// retainGrad keeps the gradient of a tensor that is not a leaf.
func retainGrad(s *scene) string {
	st := s.primary()
	if st == nil || !strings.Contains(s.f.Help, "retain_grad()") || st.Op != "=" || len(st.Targets) != 1 || st.Targets[0].Dotted() == "" {
		return ""
	}
	if !s.after(st, st.Targets[0].Dotted()+".retain_grad()") {
		return ""
	}
	return "keep the gradient of `" + st.Targets[0].Dotted() + "`"
}

// unwrapTensor uses a tensor itself instead of a new one with its values.
func unwrapTensor(s *scene) string {
	st := s.primary()
	call := s.only(st, calls("tensor", "Parameter", "FloatTensor", "as_tensor"))
	if call == nil {
		return ""
	}
	x := positional(call, 0, "data")
	if x == nil {
		return ""
	}
	if of, m := x.Method(); m == "item" {
		x = of
	}
	if called(call) == "Parameter" && (st.Op != "=" || st.Targets[0].Form != pysyntax.Name) || !s.noConstant(x) || called(x) == "tolist" ||
		x.Dotted() != "" && (s.starts(x.Dotted()) == startsNumber || strings.Contains(s.file.Text, x.Dotted()+".append(")) {
		return ""
	}
	if st.Op == "=" && st.Value == call && len(st.Targets) == 1 && st.Targets[0].Dotted() == x.Dotted() && x.Dotted() != "" {
		if !st.First || !st.Last || s.alone(st) || s.lineEnd(st.End) == len(s.file.Text) {
			return ""
		}
		s.edits = append(s.edits, edit{s.lineStart(st.Start), s.lineEnd(st.End) + len(s.eol()), ""})
		return "use the tensor itself"
	}
	s.replace(call, s.operand(x, pysyntax.Tightest))
	return "use the tensor itself"
}

// copySnapshot keeps copies of weights.
func copySnapshot(s *scene) string {
	st := s.primary()
	if st == nil || st.Op != "=" {
		return ""
	}
	const title = "keep copies of the weights"
	if of, m := st.Value.Method(); m == "state_dict" {
		s.replace(st.Value, "{name: value.detach().clone() for name, value in "+s.text(of)+".state_dict().items()}")
		return title
	}
	e := s.only(st, func(e *pysyntax.Expr) bool { _, m := e.Method(); return m == "detach" })
	if e == nil || st.Value.Form != pysyntax.Comprehension && st.Value.Form != pysyntax.Other {
		return ""
	}
	s.insert(e.End, ".clone()")
	return title
}
