package fixes

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// outOfPlaceForms are methods that have an in-place form with a _ behind the name.
var outOfPlaceForms = strings.Fields(`abs add addbmm addcdiv addcmul addmm addmv addr asin atan baddbmm ceil clamp clamp_max clamp_min
	clip cos cosh cumprod cumsum detach div divide erf exp expm1 floor fmod index_add index_copy index_fill index_put lerp log log10 log1p
	log2 masked_fill masked_scatter mul multiply nan_to_num neg negative pow reciprocal relu remainder renorm round rsqrt scatter
	scatter_add sigmoid sign sin sinh sqrt square squeeze sub subtract t tan tanh transpose tril triu trunc unsqueeze`)

// outOf returns the out-of-place form of a method; "" if there is none, or the method is not one in place.
func outOf(method string) string {
	if name, ok := strings.CutSuffix(method, "_"); ok && slices.Contains(outOfPlaceForms, name) {
		return name
	}
	return ""
}

// outOfPlace makes a new tensor instead of modifying one.
func outOfPlace(s *scene) string {
	st := s.primary()
	switch {
	case st == nil || st.Keyword != "" && st.Keyword != "return":
		return ""
	case st.Op != "" && st.Op != "=":
		return s.augmented(st)
	case s.inplaceArgument(st):
		return "work out of place"
	}
	if call := s.only(st, func(e *pysyntax.Expr) bool { _, m := e.Method(); return m != "" && outOf(m) != "" && !inner(st, e) }); call != nil {
		return s.method(st, call)
	}
	if st.Op == "=" && len(st.Targets) == 1 && st.Targets[0].Form == pysyntax.Subscript {
		return s.element(st, st.Targets[0])
	}
	return ""
}

// inner reports whether a call of a method is what another in-place method is called on, as in x.mul_(2).add_(1).
func inner(st *pysyntax.Stmt, call *pysyntax.Expr) (is bool) {
	st.Each(func(e *pysyntax.Expr) {
		if of, m := e.Method(); of == call && outOf(m) != "" {
			is = true
		}
	})
	return is
}

// augmented writes x += y as x = x + y.
func (s *scene) augmented(st *pysyntax.Stmt) string {
	target := st.Targets[0]
	name := target.Dotted()
	op := strings.TrimSuffix(st.Op, "=")
	switch {
	case target.Form == pysyntax.Subscript && !s.entry(target):
		return s.element(st, target)
	case target.Form == pysyntax.Subscript:
	case name == "" || !s.used(st, name) || loopVariable(st, name):
		return ""
	}
	binds := (&pysyntax.Expr{Form: pysyntax.Binary, Text: op}).Binds() + 1
	if op == "**" {
		binds--
	}
	value := st.Value
	s.edits = append(s.edits, edit{target.End, value.Start, " = " + s.text(target) + " " + op + " "})
	if value.Binds() < binds {
		s.insert(value.Start, "(")
		s.insert(value.End, ")")
	}
	return "make a new tensor instead of modifying `" + s.text(target) + "`"
}

// entry reports whether an index is into a list or a dict of tensors and not into a tensor.
func (s *scene) entry(target *pysyntax.Expr) bool {
	if len(target.Args) == 1 && target.Args[0].Value.Form == pysyntax.String {
		return true
	}
	base := s.text(target.X)
	return slices.ContainsFunc(s.f.Tensors, func(t string) bool { return strings.HasPrefix(strings.Trim(t, "`"), base+"[") })
}

// element writes an element into a copy of the tensor.
func (s *scene) element(st *pysyntax.Stmt, target *pysyntax.Expr) string {
	name := target.X.Dotted()
	if name == "" || s.entry(target) || !s.used(st, name) || loopVariable(st, name) || !s.assignable(st, name) || s.noGrad(st) {
		return ""
	}
	reads := 0
	st.Value.Each(func(e *pysyntax.Expr) {
		if e.Dotted() == name {
			reads++
		}
	})
	if reads > 0 || st.Op != "=" && st.Op != "+=" && st.Op != "-=" {
		return "" // what is saved may be of the copy
	}
	if !s.before(st, name+" = "+name+".clone()") {
		return ""
	}
	return "write into a copy of `" + name + "`"
}

// assignable reports whether a statement can give a variable or an attribute a new tensor.
func (s *scene) assignable(st *pysyntax.Stmt, name string) bool {
	return strings.Contains(name, ".") || s.local(st, name)
}

// method writes x.add_(y) as x = x.add(y), or as x.add(y) where the result is used.
func (s *scene) method(st *pysyntax.Stmt, call *pysyntax.Expr) string {
	root := call
	var names []*pysyntax.Expr // of the methods of the chain
	for {
		of, m := root.Method()
		if of == nil || outOf(m) == "" {
			break
		}
		names = append(names, root.X)
		root = of
	}
	name := root.Dotted()
	whole := st.Value == call
	switch {
	case name == "" || strings.HasSuffix(name, ".data") || strings.HasSuffix(name, ".grad"):
		return ""
	case whole && st.Keyword == "" && st.Op == "":
		if !s.used(st, name) || loopVariable(st, name) || !s.assignable(st, name) {
			return ""
		}
		s.insert(call.Start, name+" = ")
	case whole && st.Keyword == "return", len(st.Targets) == 1 && st.Targets[0].Dotted() == name && whole:
	case s.used(st, name) || s.reads(st, name) > 1 && s.f.Code != "inplace-alias":
		return ""
	}
	for _, attribute := range names {
		s.edits = append(s.edits, edit{attribute.End - 1, attribute.End, ""})
	}
	return "use the out-of-place operation"
}

// inplaceArgument removes inplace=True from the one call of a statement that has it.
func (s *scene) inplaceArgument(st *pysyntax.Stmt) bool {
	call := s.only(st, func(e *pysyntax.Expr) bool {
		if e.Form != pysyntax.Call {
			return false
		}
		a, ok := e.Arg("inplace")
		return ok && a.Value.Form == pysyntax.Name && a.Value.Text == "True"
	})
	if call == nil || !s.dropArgument(call, "inplace") {
		return false
	}
	if st.Op == "" && st.Keyword == "" && st.Value == call { // F.relu(x, inplace=True)
		x := positional(call, 0, "input")
		if x == nil || x.Dotted() == "" || !s.assignable(st, x.Dotted()) || loopVariable(st, x.Dotted()) {
			s.edits = nil
			return false
		}
		s.insert(call.Start, x.Dotted()+" = ")
	}
	return true
}

// outOfPlaceOfExpanded makes a new tensor of one whose elements share memory.
func outOfPlaceOfExpanded(s *scene) string {
	made := s.related("the view was made here")
	if made == nil || s.only(made, calls("expand", "expand_as", "broadcast_to")) == nil {
		return ""
	}
	return outOfPlace(s)
}

// underNoGrad puts an update of weights under no_grad.
func underNoGrad(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op == "=" && st.Targets[0].Form != pysyntax.Subscript {
		return ""
	}
	if call := s.only(st, func(e *pysyntax.Expr) bool { return e == st.Value && st.Op == "" && e.Form == pysyntax.Call }); st.Op == "" && call == nil {
		return ""
	}
	if !s.wrapNoGrad(st) {
		return ""
	}
	return "update under no_grad"
}

// wrapNoGrad puts a statement into a block of its own without grad mode.
func (s *scene) wrapNoGrad(st *pysyntax.Stmt) bool {
	torch, ok := s.imported("torch")
	if !ok || !st.First || !st.Last || !inBlock(st) {
		return false
	}
	s.insert(st.Start, "with "+torch+".no_grad():"+s.eol()+st.Indent+s.step())
	return true
}

// step is one level of indentation as the file has it.
func (s *scene) step() string {
	for _, st := range s.file.All {
		if st.Parent != nil && st.First && strings.HasPrefix(st.Indent, st.Parent.Indent) && len(st.Indent) > len(st.Parent.Indent) {
			return st.Indent[len(st.Parent.Indent):]
		}
	}
	return "    "
}

// writeThroughData writes h.data.clamp_(…) as h = h.clamp(…).
func writeThroughData(s *scene) string {
	st := s.primary()
	if st == nil || st.Keyword != "" || st.Op != "" {
		return ""
	}
	of, m := st.Value.Method()
	if of == nil || outOf(m) == "" || of.Form != pysyntax.Attribute || of.Text != "data" {
		return ""
	}
	name := of.X.Dotted()
	if name == "" || !s.used(st, name) || loopVariable(st, name) || !s.assignable(st, name) {
		return ""
	}
	if slices.ContainsFunc(s.file.All, func(other *pysyntax.Stmt) bool { return s.only(other, calls("step")) != nil }) {
		return "" // it may be a parameter
	}
	s.insert(st.Start, name+" = ")
	s.edits = append(s.edits, edit{of.X.End, of.End, ""}, edit{st.Value.X.End - 1, st.Value.X.End, ""})
	return "make a new tensor"
}

// copyIncoming works on a copy of an incoming gradient.
func copyIncoming(s *scene) string {
	if !strings.Contains(s.f.Message, "incoming gradient") {
		return ""
	}
	return outOfPlace(s)
}

// markDirty says that a custom function modifies its input.
func markDirty(s *scene) string {
	st := s.primary()
	if st == nil || !strings.Contains(s.f.Message, "without mark_dirty") || strings.Contains(s.f.Message, "saved") {
		return ""
	}
	def := function(st)
	if def == nil || def.Name != "forward" || len(def.Params) < 2 || st.Keyword != "" {
		return ""
	}
	name := ""
	switch of, _ := st.Value.Method(); {
	case st.Op != "" && st.Op != "=":
		name = st.Targets[0].Dotted()
	case st.Op == "" && of != nil:
		name = of.Dotted()
	}
	if !slices.ContainsFunc(def.Params[1:], func(p pysyntax.Param) bool { return p.Name == name }) {
		return ""
	}
	returned := false
	for _, other := range s.file.All {
		if other.Keyword == "return" && function(other) == def {
			returned = other.Understood && other.Value != nil && other.Value.Dotted() == name
		}
	}
	if !returned || !s.after(st, def.Params[0].Name+".mark_dirty("+name+")") {
		return ""
	}
	return "say that forward modifies `" + name + "`"
}

// keepCopy keeps a copy of a tensor where the tensor itself was kept.
func keepCopy(s *scene) string {
	st := s.related("keeps the tensor itself, not a copy")
	if st == nil {
		return ""
	}
	stepped := s.only(s.primary(), calls("step")) != nil
	appended := s.only(st, calls("append"))
	switch {
	case appended != nil && len(appended.Args) == 1 && appended.Args[0].Name == "" && appended.Args[0].Value.Dotted() != "":
		s.attach(appended.Args[0].Value, s.copied(stepped))
	case stepped && st.Op == "=" && len(st.Targets) == 1 && st.Value.Dotted() != "":
		s.attach(st.Value, s.copied(true))
	default:
		return ""
	}
	return "keep a copy"
}

func (s *scene) copied(detached bool) string {
	if detached {
		return ".detach().clone()"
	}
	return ".clone()"
}
