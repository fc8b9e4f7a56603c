package fixes

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// A scene is a finding and the file that its primary line is in. All edits of a finding are in this file.
type scene struct {
	h     *inspect.History
	f     *inspect.Finding
	file  *pysyntax.File
	edits []edit
}

// An edit replaces bytes of the file.
type edit struct {
	start, end int
	text       string
}

func newScene(h *inspect.History, f *inspect.Finding) *scene {
	lines := h.Source(f.Primary.File)
	if lines == nil || inspect.IsLibrary(f.Primary.File) {
		return nil
	}
	file, err := h.Shared("fixes:"+f.Primary.File, func() any {
		file, err := pysyntax.Read(strings.Join(lines, "\n"))
		return parsed{file, err}
	}).(parsed).get()
	if err != nil {
		return nil
	}
	return &scene{h: h, f: f, file: file}
}

// parsed is what is kept of a file that was read.
type parsed struct {
	file *pysyntax.File
	err  error
}

func (p parsed) get() (*pysyntax.File, error) { return p.file, p.err }

// valid reports whether there are edits that do not overlap and leave a text that Python can read.
func (s *scene) valid() bool {
	if len(s.edits) == 0 {
		return false
	}
	slices.SortStableFunc(s.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, e := range s.edits {
		if e.start < at || e.end < e.start {
			return false
		}
		b.WriteString(s.file.Text[at:e.start] + e.text)
		at = e.end
	}
	b.WriteString(s.file.Text[at:])
	if b.String() == s.file.Text {
		return false
	}
	_, err := pysyntax.Read(b.String())
	return err == nil
}

// placed returns the edits with lines and columns.
func (s *scene) placed() (all []inspect.Edit) {
	for _, e := range s.edits {
		one := inspect.Edit{File: s.f.Primary.File, Text: e.text}
		one.Line, one.Col = s.file.Place(e.start)
		one.EndLine, one.EndCol = s.file.Place(e.end)
		all = append(all, one)
	}
	return all
}

// text returns the source text of an expression.
func (s *scene) text(e *pysyntax.Expr) string { return s.file.Text[e.Start:e.End] }

// operand returns the text of an expression as the operand of an operator that binds so tightly, or, with
// [pysyntax.Tightest], with an attribute behind it.
func (s *scene) operand(e *pysyntax.Expr, binds int) string {
	if e.Binds() < binds {
		return "(" + s.text(e) + ")"
	}
	return s.text(e)
}

func (s *scene) replace(e *pysyntax.Expr, text string) {
	s.edits = append(s.edits, edit{e.Start, e.End, text})
}

func (s *scene) insert(at int, text string) { s.edits = append(s.edits, edit{at, at, text}) }

// attach puts a call of a method behind an expression, with parentheses around it if it needs them.
func (s *scene) attach(e *pysyntax.Expr, method string) {
	if e.Binds() < pysyntax.Tightest {
		s.insert(e.Start, "(")
		s.insert(e.End, ")"+method)
		return
	}
	s.insert(e.End, method)
}

// eol is how lines of the file end.
func (s *scene) eol() string {
	if at := strings.IndexByte(s.file.Text, '\n'); at > 0 && s.file.Text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is where the line of a byte begins, lineEnd where it ends, before the characters that end it.
func (s *scene) lineStart(at int) int { return strings.LastIndexByte(s.file.Text[:at], '\n') + 1 }

func (s *scene) lineEnd(at int) int {
	rest := s.file.Text[at:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return at + len(strings.TrimSuffix(rest, "\r"))
}

// inBlock reports whether lines can be put before and after a statement, at its indentation.
func inBlock(st *pysyntax.Stmt) bool { return st.Parent == nil || st.Parent.Last }

// before puts a line before a statement.
func (s *scene) before(st *pysyntax.Stmt, line string) bool {
	if st == nil || !st.First || !inBlock(st) || st.Keyword == "elif" || st.Keyword == "else" || st.Keyword == "except" || st.Keyword == "finally" {
		return false
	}
	s.insert(s.lineStart(st.Start), st.Indent+line+s.eol())
	return true
}

// after puts a line after a simple statement.
func (s *scene) after(st *pysyntax.Stmt, line string) bool {
	if st == nil || !st.Last || !inBlock(st) || st.Keyword == "return" || strings.HasSuffix(s.file.Text[st.Start:st.End], ":") {
		return false
	}
	s.insert(s.lineEnd(st.End), s.eol()+st.Indent+line)
	return true
}

// afterBlock puts a line behind the block of a header.
func (s *scene) afterBlock(header *pysyntax.Stmt, line string) bool {
	last := header
	for _, st := range s.file.All {
		if st.In(header) {
			last = st
		}
	}
	if last == header || !inBlock(header) || !header.Last {
		return false
	}
	s.insert(s.lineEnd(last.End), s.eol()+header.Indent+line)
	return true
}

// atTop puts a line at the beginning of the block of a header.
func (s *scene) atTop(header *pysyntax.Stmt, line string) bool {
	for _, st := range s.file.All {
		if st.Parent == header {
			if st.Value != nil && st.Value.Form == pysyntax.String && st.Op == "" {
				continue // the documentation
			}
			return s.before(st, line)
		}
	}
	return false
}

// move takes a statement with its lines to before or after another one of the same block.
func (s *scene) move(st, to *pysyntax.Stmt, behind bool) bool {
	if st == nil || to == nil || st == to || !st.First || !st.Last || st.Parent != to.Parent || !inBlock(st) {
		return false
	}
	start, end := s.lineStart(st.Start), s.lineEnd(st.End)
	line := strings.TrimPrefix(s.file.Text[start:end], st.Indent)
	if end < len(s.file.Text) {
		end = s.lineEnd(st.End) + len(s.eol())
	}
	if end > len(s.file.Text) || !strings.HasSuffix(s.file.Text[:end], "\n") {
		return false // the last line, which has no end
	}
	s.edits = append(s.edits, edit{start, end, ""})
	if behind {
		return s.after(to, line)
	}
	return s.before(to, line)
}

// span returns the statement of a span of the file; nil if that is not clear.
func (s *scene) span(sp inspect.Span) *pysyntax.Stmt {
	if sp.File != s.f.Primary.File {
		return nil
	}
	on := s.file.On(sp.Line)
	if at := s.file.Offset(sp.Line, sp.Col); sp.Col > 0 && at >= 0 {
		on = slices.DeleteFunc(on, func(st *pysyntax.Stmt) bool { return at < st.Start || at >= st.End })
	}
	if len(on) != 1 {
		return nil
	}
	return on[0]
}

// primary is the statement of the primary line, if its parts are known.
func (s *scene) primary() *pysyntax.Stmt {
	if st := s.span(s.f.Primary); st != nil && st.Understood {
		return st
	}
	return nil
}

// related returns the statement of the first related span whose label contains a text.
func (s *scene) related(label string) *pysyntax.Stmt {
	for _, r := range s.f.Related {
		if strings.Contains(r.Label, label) {
			if st := s.span(r); st != nil && st.Understood {
				return st
			}
			return nil
		}
	}
	return nil
}

// only returns the one expression of a statement that a test accepts; nil if there is another number of them. If
// several are accepted, the one that the span of the finding is exactly around is chosen.
func (s *scene) only(st *pysyntax.Stmt, accept func(*pysyntax.Expr) bool) *pysyntax.Expr {
	if st == nil {
		return nil
	}
	var found []*pysyntax.Expr
	st.Each(func(e *pysyntax.Expr) {
		if accept(e) {
			found = append(found, e)
		}
	})
	if p := s.f.Primary; len(found) > 1 && p.Col > 0 && p.EndCol > 0 {
		start, end := s.file.Offset(p.Line, p.Col), s.file.Offset(p.EndLine, p.EndCol)
		found = slices.DeleteFunc(found, func(e *pysyntax.Expr) bool { return e.Start != start || e.End != end })
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// calls returns a test for calls of functions or methods with one of some names.
func calls(names ...string) func(*pysyntax.Expr) bool {
	return func(e *pysyntax.Expr) bool { return slices.Contains(names, called(e)) }
}

// called is the last part of what an expression calls; "" if it is not a call.
func called(e *pysyntax.Expr) string {
	if e.Form != pysyntax.Call || e.X.Form != pysyntax.Attribute && e.X.Form != pysyntax.Name {
		return ""
	}
	return e.X.Text
}

// positional returns an argument of a call by its position, or by its keyword.
func positional(call *pysyntax.Expr, i int, keyword string) *pysyntax.Expr {
	if a, ok := call.Arg(keyword); ok {
		return a.Value
	}
	if i < len(call.Args) && !slices.ContainsFunc(call.Args[:i+1], func(a pysyntax.Arg) bool { return a.Name != "" }) {
		return call.Args[i].Value
	}
	return nil
}

// setKeyword gives an argument of a call a value.
func (s *scene) setKeyword(call *pysyntax.Expr, keyword, value string) {
	if a, ok := call.Arg(keyword); ok {
		s.replace(a.Value, value)
		return
	}
	s.addArgument(call, keyword+"="+value)
}

func (s *scene) addArgument(call *pysyntax.Expr, text string) {
	if len(call.Args) == 0 {
		s.insert(call.End-1, text)
		return
	}
	s.insert(call.Args[len(call.Args)-1].Value.End, ", "+text)
}

// dropArgument removes an argument of a call, with its comma.
func (s *scene) dropArgument(call *pysyntax.Expr, keyword string) bool {
	i := slices.IndexFunc(call.Args, func(a pysyntax.Arg) bool { return a.Name == keyword })
	if i < 0 {
		return false
	}
	s.dropElement(call.Args, i)
	return true
}

// dropElement removes one of several arguments or elements.
func (s *scene) dropElement(args []pysyntax.Arg, i int) {
	start, end := args[i].Start, args[i].Value.End
	switch {
	case i > 0:
		start = args[i-1].Value.End
	case len(args) > 1:
		end = args[1].Start
	}
	s.edits = append(s.edits, edit{start, end, ""})
}

// function is the function that a statement is in; nil for the module.
func function(st *pysyntax.Stmt) *pysyntax.Stmt {
	for p := st.Parent; p != nil; p = p.Parent {
		if p.Keyword == "def" {
			return p
		}
	}
	return nil
}

// assigns reports whether a statement gives a name a value.
func assigns(st *pysyntax.Stmt, name string) bool {
	if st.Keyword == "def" || st.Keyword == "class" {
		return st.Name == name
	}
	found := false
	for _, t := range st.Targets {
		if st.Keyword != "with" {
			each(t, func(e *pysyntax.Expr) {
				found = found || e.Form == pysyntax.Name && e.Text == name
			})
		}
	}
	return found
}

// each visits what an assignment to a target binds.
func each(t *pysyntax.Expr, visit func(*pysyntax.Expr)) {
	switch t = t.Bare(); t.Form {
	case pysyntax.Tuple, pysyntax.List:
		for _, a := range t.Args {
			each(a.Value, visit)
		}
	default:
		visit(t)
	}
}

// local reports whether a function may assign to a name that its code reads, without making another
// variable of it: the name is one of its own variables, or the statement is in the module.
func (s *scene) local(st *pysyntax.Stmt, name string) bool {
	def := function(st)
	if def == nil {
		return st.Around("class") == nil
	}
	if slices.ContainsFunc(def.Params, func(p pysyntax.Param) bool { return p.Name == name }) {
		return true
	}
	return slices.ContainsFunc(s.file.All, func(other *pysyntax.Stmt) bool { return function(other) == def && assigns(other, name) })
}

// visible reports whether a statement can use a name that another statement uses.
func (s *scene) visible(name string, from, at *pysyntax.Stmt) bool {
	root, _, _ := strings.Cut(name, ".")
	if function(from) == function(at) {
		return true
	}
	if root == "self" {
		a, b := function(from), function(at)
		return a != nil && b != nil && a.Parent == b.Parent && a.Parent != nil
	}
	// A global variable, or one of a function around.
	for def := function(from); def != nil; def = function(def) {
		if s.owns(def, root) {
			for p := function(at); p != nil; p = function(p) {
				if p == def {
					return true
				}
				if s.owns(p, root) {
					return false
				}
			}
			return false
		}
	}
	for p := function(at); p != nil; p = function(p) {
		if s.owns(p, root) {
			return false
		}
	}
	return slices.ContainsFunc(s.file.All, func(st *pysyntax.Stmt) bool { return function(st) == nil && assigns(st, root) })
}

// owns reports whether a function has a variable of its own with a name.
func (s *scene) owns(def *pysyntax.Stmt, name string) bool {
	return slices.ContainsFunc(def.Params, func(p pysyntax.Param) bool { return p.Name == name }) ||
		slices.ContainsFunc(s.file.All, func(other *pysyntax.Stmt) bool { return function(other) == def && assigns(other, name) })
}

// reads counts how often a statement has an expression of names and dots.
func (s *scene) reads(st *pysyntax.Stmt, name string) (n int) {
	if !st.Understood {
		if inspect.Mentions(s.file.Text[st.Start:st.End], name) {
			return 1
		}
		return 0
	}
	st.Each(func(e *pysyntax.Expr) {
		if e.Dotted() == name {
			n++
		}
	})
	if st.Op == "=" {
		for _, t := range st.Targets {
			each(t, func(e *pysyntax.Expr) {
				if e.Dotted() == name {
					n--
				}
			})
		}
	}
	return n
}

// used reports whether the value that a statement gives a name may be used after it, in the same function. An
// attribute always may.
func (s *scene) used(st *pysyntax.Stmt, name string) bool {
	if strings.Contains(name, ".") {
		return true
	}
	loop := st.Around("for", "while")
	if loop != nil && function(loop) != function(st) {
		loop = nil
	}
	for _, other := range s.file.All {
		if other == st || other.Keyword == "for" && slices.Contains(boundBy(other), name) && st.In(other) {
			continue
		}
		inside := function(other) == function(st) || function(st) == nil || other.In(function(st))
		if inside && (other.Start > st.Start || loop != nil && other.In(outermost(loop, st))) && s.reads(other, name) > 0 {
			return true
		}
	}
	return false
}

// outermost is the outermost loop around a statement in its function.
func outermost(loop, st *pysyntax.Stmt) *pysyntax.Stmt {
	for p := loop; p != nil && p != function(st); p = p.Parent {
		if p.Keyword == "for" || p.Keyword == "while" {
			loop = p
		}
	}
	return loop
}

// boundBy lists the names that a loop binds.
func boundBy(loop *pysyntax.Stmt) (names []string) {
	for _, t := range loop.Targets {
		each(t, func(e *pysyntax.Expr) {
			if e.Form == pysyntax.Name {
				names = append(names, e.Text)
			}
		})
	}
	return names
}

// loopVariable reports whether a name is bound by a loop around a statement.
func loopVariable(st *pysyntax.Stmt, name string) bool {
	for p := st.Parent; p != nil; p = p.Parent {
		if p.Keyword == "for" && slices.Contains(boundBy(p), name) {
			return true
		}
	}
	return false
}

var importing = regexp.MustCompile(`^import\s+(.*)`)

// imported returns the name under which the program has imported a module, such as torch or torch.nn, at its top.
func (s *scene) imported(module string) (name string, ok bool) {
	for _, st := range s.file.All {
		text := s.file.Text[st.Start:st.End]
		if parent, last, nested := cutLast(module); nested && st.Keyword == "from" && st.Parent == nil {
			from, names, _ := strings.Cut(text, " import ")
			if strings.TrimSpace(strings.TrimPrefix(from, "from")) == parent {
				for one := range strings.SplitSeq(strings.Trim(strings.TrimSpace(names), "()"), ",") {
					if was, as, renamed := strings.Cut(strings.TrimSpace(one), " as "); was == last {
						if renamed {
							return as, true
						}
						return was, true
					}
				}
			}
		}
		if m := importing.FindStringSubmatch(text); m != nil && st.Parent == nil {
			for one := range strings.SplitSeq(m[1], ",") {
				was, as, renamed := strings.Cut(strings.TrimSpace(one), " as ")
				switch {
				case was == module && renamed:
					return strings.TrimSpace(as), true
				case !renamed && (was == module || strings.HasPrefix(was, module+".")):
					return module, true
				}
			}
		}
	}
	if module != "torch" {
		if _, ok := s.imported("torch"); ok {
			return module, true // import torch has torch.nn
		}
	}
	return "", false
}

func cutLast(module string) (parent, last string, ok bool) {
	at := strings.LastIndexByte(module, '.')
	if at < 0 {
		return "", module, false
	}
	return module[:at], module[at+1:], true
}

// noGrad reports whether a statement is in a block without grad mode.
func (s *scene) noGrad(st *pysyntax.Stmt) bool {
	for p := st.Parent; p != nil && p.Keyword != "def"; p = p.Parent {
		if p.Keyword == "with" && strings.Contains(s.file.Text[p.Start:p.End], "no_grad(") {
			return true
		}
	}
	return false
}
