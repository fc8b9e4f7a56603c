package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var inplaceAlias = inspect.Rule{
	Code:     "inplace-alias",
	Severity: inspect.SeverityWarning,
	Title:    "A tensor was modified in place while another name still stands for its old value.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return inspect.AtEnd(func() {
			if _, failed := check.Failed(); !failed {
				a := aliases{check: check, writes: map[graph.StorageID][]inspect.Write{}}
				a.look()
			}
		})
	},
}

// aliases finds memory that the program reads as if it held two values.
type aliases struct {
	check  *inspect.Checker
	writes map[graph.StorageID][]inspect.Write // by the program, outside of backward passes
}

// joining are the operations that put tensors side by side. comparing are operations whose
// result does not depend on the tensor if both operands are the same one.
var (
	joining   = []string{"stack", "cat", "concat", "concatenate", "vstack", "hstack", "dstack", "row_stack", "column_stack"}
	comparing = []string{"sub", "__sub__", "rsub", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "dist", "isclose", "allclose", "div", "__truediv__"}
)

func (a *aliases) look() {
	for _, w := range a.check.Writes().All() {
		if w.Pass == 0 && a.check.Op(w.Op).Name != "set_" { // shows other memory from now on
			s := a.check.Tensor(w.Tensor).Storage
			a.writes[s] = append(a.writes[s], *w)
		}
	}
	if len(a.writes) == 0 {
		return
	}
	for _, op := range a.check.Ops().All() {
		switch {
		case slices.Contains(joining, op.Name):
			a.joined(*op)
		case slices.Contains(comparing, op.Name) && len(op.Inputs) >= 2:
			a.compared(*op)
		}
	}
	a.renamed()
	a.shared()
	a.consumed()
	a.again()
}

// again finds tensors of a graph that one statement reads by their name and then changes in place before the first
// reader computes: s + d / s.exp_().
func (a *aliases) again() {
	check, reported := a.check, map[graph.StackID]bool{}
	for _, w := range check.Writes().All() {
		if w.Pass != 0 || w.Step >= 0 || w.Op < 0 || reported[w.Stack] || check.Tensor(w.Tensor).Node == 0 {
			continue
		}
		op := check.Op(w.Op)
		if !op.GradMode || !elementwise[plain(op)] || len(op.Inputs) > 1 && !a.onlyNumbers(op.Inputs[1:]) {
			continue
		}
		at := check.In(w.Stack, w.At, "").Frame
		var reads []*inspect.Op
		for _, i := range check.Uses(w.Tensor) {
			use := check.Op(i)
			if use.At > w.At && use.Pass == 0 && !slices.Contains(use.Mutated, w.Tensor) && sameLine(check.In(use.Stack, use.At, "").Frame, at) && !slices.ContainsFunc(reads, func(r *inspect.Op) bool { return r.Stack == use.Stack }) {
				reads = append(reads, use)
			}
		}
		if len(reads) < 2 || !a.namedBefore(at, op.Name) {
			continue
		}
		reported[w.Stack] = true
		name := check.Called(w.Tensor)
		last := reads[len(reads)-1]
		check.Report(inspect.Finding{
			Message: fmt.Sprintf("%s changes %s in place before the statement reads it: both reads see the new values", op.Name, name),
			Primary: check.In(w.Stack, w.At, "changes it in place, and hands it on"),
			Related: []inspect.Span{check.In(last.Stack, last.At, "reads it again")},
			Tensors: names(check.History, w.Tensor),
			Help:    fmt.Sprintf("use %s(), which makes a new tensor", plain(op)),
			Evidence: facts(
				check.In(w.Stack, w.At, fmt.Sprintf("%s writes to %s, which is part of the graph", op.Name, name)),
				check.In(reads[0].Stack, reads[0].At, fmt.Sprintf("%s reads it after that", reads[0].Name)),
				check.In(last.Stack, last.At, fmt.Sprintf("%s does, too, in the same statement", last.Name)),
			),
			Instead: []inspect.Alternative{not("inplace-saved-tensor", "no operation has saved the earlier value")},
			At:      w.At,
			Symptom: -1,
		})
	}
}

// onlyNumbers reports whether operands are numbers, or not tensors.
func (a *aliases) onlyNumbers(inputs []graph.TensorID) bool {
	return !slices.ContainsFunc(inputs, func(t graph.TensorID) bool { return t != 0 && a.check.Tensor(t).Flags&graph.FlagNumber == 0 })
}

// namedBefore reports whether a line names what it changes in place to the left of the change, other than to assign it.
func (a *aliases) namedBefore(at graph.Frame, op string) bool {
	text := a.check.LineText(at.File, at.Line)
	name := regexp.QuoteMeta(op)
	m := regexp.MustCompile(`\b(?:F|torch|(?:nn\.)?functional)\.` + name + `\(\s*([\w.]+)`).FindStringSubmatchIndex(text)
	if m == nil {
		m = regexp.MustCompile(`([\w.]+)\.` + name + `\(`).FindStringSubmatchIndex(text)
	}
	if m == nil {
		return false
	}
	before := text[:m[0]]
	if _, value, ok := strings.Cut(before, " = "); ok {
		before = value
	}
	return regexp.MustCompile(`(?:^|[^\w.])` + regexp.QuoteMeta(text[m[2]:m[3]]) + `(?:[^\w.(]|$)`).MatchString(before)
}

// consumed finds results of in-place operations under no_grad that an expression takes as a value of its
// own, d.masked_fill_(…).argmax(), although d is part of a graph and is read with a gradient later.
func (a *aliases) consumed() {
	check := a.check
	for _, w := range check.Writes().All() {
		t := check.Tensor(w.Tensor)
		if w.Pass != 0 || w.Step >= 0 || w.Op < 0 || t.Node == 0 || check.Op(w.Op).GradMode {
			continue
		}
		at := check.In(w.Stack, w.At, "").Frame
		if strings.HasSuffix(at.Func, "_") && !strings.HasSuffix(at.Func, "__") {
			continue // the name says that it works in place
		}
		asValue := false
		for _, i := range check.Uses(w.Tensor) {
			op := check.Op(i)
			if op.At <= w.At || op.Pass != 0 || slices.Contains(op.Mutated, w.Tensor) {
				continue
			}
			here := sameLine(check.In(op.Stack, op.At, "").Frame, at)
			asValue = asValue || here
			if asValue && !here && op.Node != 0 {
				a.report(w.Tensor, *w, *op, "is read with a gradient here, and has the new values")
				break
			}
		}
	}
}

// A cell is the memory that a tensor shows.
type cell struct {
	storage graph.StorageID
	offset  uint64
	shape   string
}

func (a *aliases) cell(id graph.TensorID) cell {
	t, _ := a.check.Graph().Tensor(id)
	return cell{t.Storage, t.Offset, fmt.Sprint(t.Shape, t.Strides)}
}

// joined finds a list that holds the same memory more than once although the program
// changed it in between.
func (a *aliases) joined(op inspect.Op) {
	cells := map[cell][]graph.TensorID{}
	for _, in := range op.Inputs {
		if t := a.check.Tensor(in); t.Known() && len(a.writes[t.Storage]) > 0 {
			c := a.cell(in)
			cells[c] = append(cells[c], in)
		}
	}
	for c, members := range cells {
		writes := a.between(c.storage, a.check.Tensor(members[0]).Created, op.At)
		if len(members) < 2 || len(writes) < len(members)-1 || writtenTwice.MatchString(strings.ReplaceAll(a.check.Text(a.check.In(op.Stack, op.At, "").Frame), " ", "")) {
			continue
		}
		a.report(members[0], writes[len(writes)-1], op, fmt.Sprintf("all %d entries are the same tensor, with its latest values", len(members)))
		return
	}
}

// writtenTwice matches a list that names one tensor twice on purpose.
var writtenTwice = regexp.MustCompile(`[\[(]\w+,\w+[\])]`)

// compared finds an operation on two names for the same memory, which was changed since the
// second name was given: x - previous.
func (a *aliases) compared(op inspect.Op) {
	x, y := op.Inputs[0], op.Inputs[1]
	s, t := a.check.Tensor(x), a.check.Tensor(y)
	if !s.Known() || !t.Known() || s.Storage != t.Storage || len(a.writes[s.Storage]) == 0 || x != y && a.cell(x) != a.cell(y) {
		return
	}
	if restoredOf(a.check.History)[op.At] {
		return // snapshot-aliases-weights
	}
	first, second, ok := operands(a.check.Text(a.check.In(op.Stack, op.At, "").Frame))
	if !ok || first == second || x == y && strings.Contains(first, ".") && strings.Contains(second, ".") && a.tied(x) {
		return
	}
	if writes := a.between(s.Storage, min(s.Created, t.Created), op.At); len(writes) > 0 {
		a.report(x, writes[len(writes)-1], op, fmt.Sprintf("`%s` and `%s` share the same memory here", first, second))
	}
}

// tied reports whether a module has registered a parameter under several names.
func (a *aliases) tied(id graph.TensorID) bool {
	return slices.ContainsFunc(a.check.Modules(), func(m inspect.Params) bool {
		i := slices.Index(m.Tensors, id)
		return i >= 0 && slices.Contains(m.Tensors[i+1:], id)
	})
}

var (
	infix     = regexp.MustCompile(`([A-Za-z_][\w.]*(?:\[[^\]]*\])?)\s*[-/]\s*([A-Za-z_][\w.]*(?:\[[^\]]*\])?)`)
	arguments = regexp.MustCompile(`\(\s*([A-Za-z_][\w.]*(?:\[[^\]]*\])?)\s*,\s*([A-Za-z_][\w.]*(?:\[[^\]]*\])?)\s*[,)]`)
)

// operands returns the names on both sides of an operator, or the first two arguments of a
// call.
func operands(code string) (first, second string, ok bool) {
	for _, pattern := range []*regexp.Regexp{infix, arguments} {
		if m := pattern.FindStringSubmatch(code); m != nil {
			return m[1], m[2], true
		}
	}
	return "", "", false
}

// between returns the changes of a storage between two events.
func (a *aliases) between(s graph.StorageID, after, before graph.Pos) (found []inspect.Write) {
	for _, w := range a.writes[s] {
		if w.At > after && w.At < before {
			found = append(found, w)
		}
	}
	return found
}

// renamed finds memory that was written under one name and is read under another one that the program
// gave before: out = relu_(x); … out + x, or skip = h; h += e; … skip.
func (a *aliases) renamed() {
	done := map[graph.StackID]bool{}
	for _, w := range a.check.Writes().All() {
		if w.Pass != 0 || w.Step >= 0 || done[w.Stack] {
			continue
		}
		done[w.Stack] = true
		program := a.check.In(w.Stack, w.At, "").Frame
		for i, f := range a.check.Tape().Stack(w.Stack) {
			if strings.HasSuffix(f.Func, "_") && !strings.HasSuffix(f.Func, "__") {
				break // the name says that it works in place
			}
			now, old, ok := a.names(*w, i, sameLine(f, program))
			if !ok {
				continue
			}
			if read, ok := a.readsBoth(*w, f, now, old); ok {
				a.report(w.Tensor, *w, read, fmt.Sprintf("`%s` is read here, but has the values of `%s`", old, now))
				break
			}
			if line, ok := a.returnsBoth(*w, f, now, old); ok {
				a.reportShared(*w, a.check.LineSpan(f.File, line, fmt.Sprintf("`%s` is returned here, but has the values of `%s`", old, now)))
				break
			}
		}
	}
}

// names returns what a frame calls the memory that it has written: its name from now on, and the one
// that should have kept the old values. writes: the frame itself writes, and does not call what does.
func (a *aliases) names(w inspect.Write, frame int, writes bool) (now, old string, ok bool) {
	f := a.check.Tape().Stack(w.Stack)[frame]
	text := a.check.LineText(f.File, f.Line)
	if m := renaming.FindStringSubmatch(text); m != nil {
		now, old = m[1], m[2]+m[3]
		if a.madeInCall(w, frame) {
			return "", "", false
		}
		if now != old {
			return now, old, old != ""
		}
	} else if m := inItsPlace.FindStringSubmatch(text); m != nil && writes {
		now = m[1]
	} else {
		return "", "", false
	}
	old, ok = a.secondName(f, now)
	return now, old, ok
}

// inItsPlace is a statement that writes to what a variable stands for.
var inItsPlace = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*(?:(?:\*\*|//|[-+*/])=|\.[a-z]\w*_\(|\[[^=]*\]\s*(?:\*\*|//|[-+*/])?=[^=])`)

// secondName returns another variable that stands for the same tensor as one, by an assignment further
// up in the function, old = name or name = old.
func (a *aliases) secondName(at graph.Frame, name string) (string, bool) {
	first, _ := a.check.Function(at.File, at.Line)
	for n := at.Line - 1; n > first; n-- {
		m := copying.FindStringSubmatch(a.check.LineText(at.File, n))
		if m == nil || m[1] == m[2] || m[1] != name && m[2] != name {
			continue
		}
		other := m[1]
		if other == name {
			other = m[2]
		}
		return other, !a.assigned(at.File, n, at.Line, name) && !a.assigned(at.File, n, at.Line, other)
	}
	return "", false
}

// copying is an assignment of one variable to another.
var copying = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)\s*(?:#.*)?$`)

// madeInCall reports whether the memory that was written is younger than the call of a frame, or
// was made in the same line: then the caller did not give it.
func (a *aliases) madeInCall(w inspect.Write, frame int) bool {
	check := a.check
	made := w.At
	for _, id := range check.Sharing(check.Tensor(w.Tensor).Storage) {
		made = min(made, check.Tensor(id).Created)
	}
	call := check.Tape().Stack(w.Stack)[frame:]
	inside := map[graph.StackID]bool{}
	for p := w.At; p >= made; p-- {
		s := check.StackAt(p)
		in, known := inside[s]
		if !known {
			stack := check.Tape().Stack(s)
			in = len(stack) == 0 || len(stack) >= len(call) && slices.EqualFunc(stack[len(stack)-len(call):], call, sameLine)
			inside[s] = in
		}
		if !in {
			return false
		}
	}
	return true
}

// sameLine reports whether two frames are at one line: parts of it may run one after the other.
func sameLine(a, b graph.Frame) bool {
	return a.Line == b.Line && a.File == b.File && a.Func == b.Func
}

// renaming is an assignment of a call with a variable as its only argument, or of a
// method call on a variable.
var renaming = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=\s*(?:[\w.]+\(\s*([A-Za-z_]\w*)\s*[,)].*|([A-Za-z_]\w*)\.[a-z]\w*_\(.*)$`)

// readsBoth reports whether a function reads what was written under the new name and
// later under the old one.
func (a *aliases) readsBoth(w inspect.Write, at graph.Frame, now, old string) (read inspect.Op, ok bool) {
	if old == "" {
		return inspect.Op{}, false
	}
	asNew := false
	for _, i := range a.check.Uses(w.Tensor) {
		op := *a.check.Op(i)
		if op.At <= w.At || op.Pass != 0 {
			continue
		}
		for _, f := range a.check.Tape().Stack(op.Stack) {
			if f.File != at.File || f.Func != at.Func || f.Line <= at.Line || a.assigned(at.File, at.Line, f.Line, old) {
				continue
			}
			code := a.check.Text(f)
			switch newName, oldName := inspect.Mentions(code, now), inspect.Mentions(code, old); {
			case newName && !oldName:
				asNew = true
			case oldName && (asNew || newName):
				return op, true
			}
		}
	}
	return inspect.Op{}, false
}

// returnsBoth returns the line where a function returns what it has written under the old name, if it
// computes with the new one or returns that as well, and its callers read it.
func (a *aliases) returnsBoth(w inspect.Write, at graph.Frame, now, old string) (line int, ok bool) {
	check := a.check
	_, end := check.Function(at.File, at.Line)
	line, ok = check.Find(at.File, at.Line+1, end, regexp.MustCompile(`^\s*return\b.*\b`+regexp.QuoteMeta(old)+`\b`))
	text := strings.TrimPrefix(strings.TrimSpace(check.LineText(at.File, line)), "return")
	if !ok || !entry(text, old) || a.assigned(at.File, at.Line, line, old) {
		return 0, false
	}
	asNew, asOld := entry(text, now), false
	for _, i := range check.Uses(w.Tensor) {
		op := check.Op(i)
		if op.At <= w.At || op.Pass != 0 || slices.Contains(op.Mutated, w.Tensor) {
			continue
		}
		inside := false
		for _, f := range check.Tape().Stack(op.Stack) {
			if f.File == at.File && f.Func == at.Func {
				inside = true
				asNew = asNew || f.Line > at.Line && inspect.Mentions(check.Text(f), now)
			}
		}
		asOld = asOld || !inside
	}
	return line, asNew && asOld
}

// entry reports whether a variable is one of several values.
func entry(values, name string) bool {
	return strings.Contains(values, ",") && regexp.MustCompile(`(?:^|[,(\[:])\s*`+regexp.QuoteMeta(name)+`\s*(?:[,)\]}]|$)`).MatchString(values)
}

// assigned reports whether a variable gets another value between two lines.
func (a *aliases) assigned(file string, after, before int, name string) bool {
	name = regexp.QuoteMeta(name)
	pattern := regexp.MustCompile(`^\s*(?:(?:async\s+)?for\s[^:]*\b` + name + `\b.*\sin\s|with\s.*\sas\s.*\b` + name + `\b|\(?(?:\w+\s*,\s*)*` +
		name + `\s*(?:,\s*\w+\s*)*\)?\s*(?::[^=]*)?=[^=])`)
	line, ok := a.check.Find(file, after+1, before-1, pattern)
	return ok && line < before
}

// shared finds two cases. A loop resets a state to its start, but by a second name for the start
// itself, which is then changed in place. Or a list holds one tensor n times, and its elements are
// changed.
func (a *aliases) shared() {
	check := a.check
	type written struct { // a start that survives the iteration is written in the next one, too
		stack   graph.StackID
		storage graph.StorageID
	}
	seen := map[written]int{}
	for _, w := range check.Writes().All() {
		if w.Pass != 0 || w.Step >= 0 {
			continue
		}
		k := written{w.Stack, check.Tensor(w.Tensor).Storage}
		if seen[k]++; seen[k] != 2 {
			continue
		}
		top := check.Tape().Stack(w.Stack).Top()
		m := changed.FindStringSubmatch(check.LineText(top.File, top.Line))
		if m == nil {
			continue
		}
		t := check.Tensor(w.Tensor)
		made := check.At(t.Created, "")
		if f := repeated.FindStringSubmatch(check.LineText(made.File, made.Line)); f != nil && f[1] == m[1] && m[2] != "" {
			a.reportShared(*w, check.LineSpan(made.File, made.Line, "a list that repeats one tensor"))
			continue
		}
		for _, n := range t.Names {
			if n.Name != m[1] && m[2] == "" && n.At < w.At && strings.Contains(n.Name, ".") == strings.Contains(m[1], ".") {
				if line, ok := a.resetInLoop(top.File, m[1], n.Name); ok {
					a.reportShared(*w, line)
					break
				}
			}
		}
	}
}

var (
	changed  = regexp.MustCompile(`^\s*([A-Za-z_][\w.]*)(\[[^\]]*\])?\s*(?:(?:\*\*|//|[-+*/])=|\.\w+_\()`)
	repeated = regexp.MustCompile(`^\s*([A-Za-z_][\w.]*)\s*=\s*\[.*\]\s*\*\s*\w+`)
)

// resetInLoop returns the statement that sets one name to another, if it is in a loop or in
// a function that is called in one.
func (a *aliases) resetInLoop(file, name, start string) (inspect.Span, bool) {
	check := a.check
	end := len(check.Source(file))
	reset := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(name) + `\s*=\s*` + regexp.QuoteMeta(start) + `\s*$`)
	line, ok := check.Find(file, 1, end, reset)
	if !ok {
		return inspect.Span{}, false
	}
	span := check.LineSpan(file, line, "a second name for the initial tensor, not a copy")
	if check.InLoop(file, line) {
		return span, true
	}
	first, _ := check.Function(file, line)
	def := defName.FindStringSubmatch(check.LineText(file, first))
	if def == nil || def[1] == "__init__" {
		return span, false
	}
	call := regexp.MustCompile(`\b` + def[1] + `\(`)
	for from := 1; ; {
		n, ok := check.Find(file, from, end, call)
		if !ok {
			return span, false
		}
		if n != first && check.InLoop(file, n) {
			return span, true
		}
		from = n + 1
	}
}

var defName = regexp.MustCompile(`^\s*def\s+(\w+)`)

func (a *aliases) reportShared(w inspect.Write, alias inspect.Span) {
	check := a.check
	primary := check.In(w.Stack, w.At, "modifies the memory behind both names")
	check.Report(inspect.Finding{
		Message:  check.Called(w.Tensor) + " is modified in place, and another name refers to the same memory",
		Primary:  primary,
		Related:  append([]inspect.Span{alias}, check.Callers(w.At)...),
		Tensors:  []string{check.Name(w.Tensor)},
		Help:     outOfPlace(check.Text(primary.Frame)) + ", or make a copy first: .clone()",
		Evidence: facts(alias, check.In(w.Stack, w.At, fmt.Sprintf("the version went from %d to %d", w.From, w.To))),
		Instead:  []inspect.Alternative{not("inplace-saved-tensor", "no backward pass fails")},
		At:       w.At,
		Symptom:  -1,
	})
}

func (a *aliases) report(id graph.TensorID, w inspect.Write, read inspect.Op, label string) {
	check := a.check
	at := check.In(w.Stack, w.At, "modifies the memory behind both names")
	if w.Step >= 0 {
		at = check.In(check.Steps()[w.Step].Stack, w.At, "modifies the memory behind both names")
	}
	primary, related, help := modifier(check.History, w, at)
	if kept := inspect.Lines(check.Kept(id, read.Stack, read.At, "keeps the tensor itself, not a copy"), 1); len(kept) > 0 && kept[0].Line != at.Line {
		related = append(related, kept...)
	}
	related = append(related, check.In(read.Stack, read.At, label))
	check.Report(inspect.Finding{
		Message: check.Called(id) + " is modified in place, and what looks like its old value changes with it",
		Primary: primary,
		Related: append(related, check.Callers(w.At)...),
		Tensors: []string{check.Name(id)},
		Help:    help + ", or keep a .clone() of the old values",
		Evidence: facts(
			check.In(w.Stack, w.At, fmt.Sprintf("the version went from %d to %d", w.From, w.To)),
			check.In(read.Stack, read.At, label),
		),
		Instead: []inspect.Alternative{not("inplace-saved-tensor", "no backward pass fails")},
		At:      w.At,
		Symptom: -1,
	})
}
