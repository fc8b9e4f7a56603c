package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/query"
)

// stackView shows the functions that run at the cursor, innermost first, and what they hold.
// Above them are the watches and the newest result of :p.
type stackView struct {
	list
	rows      []stackRow
	stack     graph.Stack  // that the rows show
	opened    map[int]bool // the frames whose variables are shown
	libraries bool         // the frames of libraries are shown one by one
	toResult  bool         // the row of the result is to be chosen
	local     int          // the frame whose variables are said
	width     int          // of the pane
}

// A stackRow is a row of the pane.
type stackRow struct {
	line  styled
	open  intent // what enter does
	frame int    // the frame that the row belongs to, as an index of the stack; -1: none
}

// stackHere returns the call stack at the cursor.
func (s *state) stackHere() graph.Stack {
	for p := s.at() - 1; p >= 0 && p >= s.at()-lookBack; p-- {
		if h, _ := s.event(p); h.Stack != 0 {
			stack := s.tape.Stack(h.Stack)
			for len(stack) > 1 && strings.HasPrefix(stack[0].File, "<gradtui ") && s.atStop() { // what :p! has run is over
				stack = stack[1:]
			}
			return stack
		}
	}
	return nil
}

func (v *stackView) about(s *state) string {
	switch {
	case len(v.stack) == 0:
		return ""
	case s.asked.working > 0:
		return "asking the program; i interrupts it"
	case s.atStop():
		return plural(len(v.stack), "frame") + " · the program waits; :p EXPR asks it"
	}
	return plural(len(v.stack), "frame") + " at the cursor"
}

func (v *stackView) refresh(s *state, body cells.Rect) {
	v.width = max(body.W, 40)
	stack := s.stackHere()
	if !sameFunctions(stack, v.stack) {
		v.opened, v.libraries = map[int]bool{}, false
		if len(v.stack) > 0 {
			s.asked.frame, s.asked.locals = nil, nil
		}
	}
	v.stack = stack
	v.lay(s)
	v.list.move(0, len(v.rows))
}

// ownFrame returns the frame that expressions are for: the chosen one, or the innermost one that is not in a
// library.
func (s *state) ownFrame() int {
	if f := s.asked.frame; f != nil {
		return f.Index
	}
	stack := s.stackHere()
	return max(slices.IndexFunc(stack, func(f graph.Frame) bool { return !inspect.IsLibrary(f.File) }), 0)
}

// sameFunctions reports whether the same functions run, maybe at other lines.
func sameFunctions(a, b graph.Stack) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].File != b[i].File || a[i].Func != b[i].Func {
			return false
		}
	}
	return true
}

// lay makes the rows.
func (v *stackView) lay(s *state) {
	v.rows = v.rows[:0]
	for i := range s.asked.watches {
		v.watch(s, i)
	}
	if r := s.asked.result; r != nil {
		v.result(s, r)
	}
	for i := 0; i < len(v.stack); {
		n := 0
		for i+n < len(v.stack) && inspect.IsLibrary(v.stack[i+n].File) {
			n++
		}
		if n > 1 && !v.libraries {
			text := fmt.Sprintf("%s of %s", plural(n, "frame"), packages(v.stack[i:i+n]))
			v.add(-1, showLibraries{}, piece{muted, "  " + safe(text)})
			i += n
			continue
		}
		v.frame(s, i)
		i++
	}
}

func (v *stackView) add(frame int, open intent, line ...piece) {
	v.rows = append(v.rows, stackRow{line, open, frame})
}

var packageOf = regexp.MustCompile(`[/\\](?:site-packages|dist-packages|lib[/\\]python3[^/\\]*(?:[/\\](?:site|dist)-packages)?)[/\\]([^/\\]+)`)

// packages names the libraries that frames belong to.
func packages(frames graph.Stack) string {
	var names []string
	for _, f := range frames {
		name := "a library"
		if m := packageOf.FindStringSubmatch(f.File); m != nil {
			name = strings.TrimSuffix(m[1], ".py")
		}
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		names = append(names[:2], "…")
	}
	return strings.Join(names, ", ")
}

// frame adds the row of a frame and, if it is open, the rows of its variables.
func (v *stackView) frame(s *state, i int) {
	f := v.stack[i]
	style, fold := strong, "▸ "
	if inspect.IsLibrary(f.File) {
		style = muted
	}
	if v.opened[i] {
		fold = "▾ "
	}
	line := styled{{muted, fold}, {style, safe(f.Func)}, {muted, "  " + lineName(f)}}
	if c := s.asked.frame; c != nil && c.Index == i {
		line = append(line, piece{running, "  (:p)"})
	}
	v.add(i, chooseFrame(i), line...)
	if v.opened[i] {
		v.variables(s, i)
	}
}

// variables adds the variables of a frame: as the program has them where it waits, or the
// tensors that have names on the tape.
func (v *stackView) variables(s *state, i int) {
	asked := s.localsOf(control.Frame{Index: i, File: v.stack[i].File, Function: v.stack[i].Func})
	switch {
	case asked == nil:
		v.named(s, i)
		return
	case !asked.known:
		v.add(i, nil, piece{muted, "    asking the program…"})
		return
	case asked.err != nil:
		v.add(i, nil, piece{muted, "    " + safe(asked.err.Error()) + "; tensors with names:"})
		v.named(s, i)
		return
	}
	for _, x := range asked.answer.Values {
		v.add(i, showValue(x.Tensor), v.value(s, x)...)
	}
	switch n := len(asked.answer.Values); {
	case asked.answer.More > 0:
		v.add(i, nil, piece{muted, fmt.Sprintf("    and %d more", asked.answer.More)})
	case n == 0:
		v.add(i, nil, piece{muted, "    no variables"})
	}
}

// mostNamedHere bounds the tensors of a frame that are known by name.
const mostNamedHere = 200

// named adds the tensors that have names in the function of a frame at the cursor.
func (v *stackView) named(s *state, i int) {
	scope, n := v.stack[i].Func, 0
	if strings.HasPrefix(scope, "<") {
		scope = ""
	}
	for b := range s.graph().Bindings() {
		t, ok := s.graph().Tensor(b.Tensor)
		if !ok || b.Scope != scope || n == mostNamedHere {
			continue
		}
		n++
		v.add(i, showValue(t.ID), piece{plain, "    " + safe(b.Name) + " = "},
			piece{muted, safe(fmt.Sprintf("%s %s", t.DType, inspect.ShapeText(t.Shape))) + " "}, piece{saved, valueText(t.Value)})
	}
	if n == 0 {
		v.add(i, nil, piece{muted, "    no tensor has a name here"})
	}
}

// value draws a value after its name.
func (v *stackView) value(s *state, x control.Value) styled {
	line := styled{{plain, "    " + safe(x.Name) + " = "}, {saved, safe(x.Text)}}
	if _, ok := s.graph().Tensor(x.Tensor); ok {
		line = append(line, piece{muted, fmt.Sprintf("  t%d", x.Tensor)})
	}
	return line
}

// watch adds the row of a watch.
func (v *stackView) watch(s *state, i int) {
	w := s.asked.watches[i]
	shown, tensor, style, mark := w.shown, w.tensor, saved, "  "
	switch {
	case !s.atStop():
		shown, tensor = s.onTape(w.text)
		if tensor == 0 {
			style = muted
		}
	case !w.asked:
		shown, style = "…", muted
	case w.changed:
		mark = "≠ "
	}
	line := styled{{warned, mark}, {muted, fmt.Sprintf("%d ", i+1)}, {strong, safe(w.text)}, {plain, " = "}, {style, safe(shown)}}
	v.add(-1, showValue(tensor), line...)
}

// result adds the rows of the newest result.
func (v *stackView) result(s *state, r *result) {
	if v.toResult {
		v.chosen, v.toResult = len(v.rows), false
	}
	style, text := r.value()
	var tensor graph.TensorID
	if len(r.answer.Values) > 0 && r.err == nil {
		tensor = r.answer.Values[0].Tensor
	}
	where := ""
	if f := r.answer.Frame; f != nil {
		where = "  in " + safe(f.Function)
	}
	v.add(-1, openValue(tensor), piece{muted, "> "}, piece{strong, safe(r.text)}, piece{muted, where})
	for text := range strings.Lines(r.answer.Output) {
		v.add(-1, openValue(tensor), piece{muted, "  │ "}, piece{plain, safe(strings.TrimRight(text, "\n"))})
	}
	if style == plain {
		style = saved
	}
	for _, line := range wrapped(style, text, max(v.width-4, 10), mostOfResult) {
		v.add(-1, openValue(tensor), append(styled{{plain, "  "}}, line...)...)
	}
}

// mostOfResult is how many rows a value takes.
const mostOfResult = 8

func (v *stackView) draw(s *state, r cells.Region, focused bool) {
	v.lay(s)
	if len(v.rows) == 0 {
		r.Fit(1, 0, r.W-1, muted, "No function of the program runs here.")
		return
	}
	from, to := v.window(len(v.rows), r.H)
	for i := from; i < to; i++ {
		v.rows[i].line.write(r, 1, i-from)
		if i == v.chosen && focused {
			r.Flag(i-from, cells.Chosen)
		}
	}
	drawScrollBar(r, from, len(v.rows))
}

func (v *stackView) move(_ *state, rows, _ int) intent {
	v.list.move(rows, len(v.rows))
	return nil
}

// open does what the chosen row is for.
func (v *stackView) open(*state) intent {
	if v.chosen >= len(v.rows) {
		return nil
	}
	return v.rows[v.chosen].open
}

func (v *stackView) click(s *state, _, row int) intent {
	if i := v.top + row; i < len(v.rows) {
		v.chosen = i
		return v.open(s)
	}
	return nil
}

// fold shows or hides the variables of the frame.
func (v *stackView) fold(*state) intent {
	if v.chosen >= len(v.rows) || v.rows[v.chosen].frame < 0 {
		return nil
	}
	return foldFrame(v.rows[v.chosen].frame)
}

// breakpoint is on the line of the frame.
func (v *stackView) breakpoint(*state) string {
	if v.chosen >= len(v.rows) || v.rows[v.chosen].frame < 0 {
		return ""
	}
	return breakOnLine(v.stack[v.rows[v.chosen].frame])
}

func (v *stackView) words(s *state) (lines []string) {
	v.lay(s)
	for i := range v.rows[:min(len(v.rows), maxRows)] {
		lines = append(lines, v.rows[i].line.words())
	}
	return lines
}

// localsOf returns what the program has answered about a frame; nil: it was not asked, or does not
// stand there any more.
func (s *state) localsOf(f control.Frame) *locals {
	if !s.atStop() {
		return nil
	}
	for i := range s.asked.locals {
		if s.asked.locals[i].frame == f {
			return &s.asked.locals[i]
		}
	}
	return nil
}

// Intents of the pane.
type (
	// chooseFrame shows the line of a frame and its variables; expressions are evaluated there.
	chooseFrame int
	// foldFrame shows or hides the variables of a frame.
	foldFrame int
	// showValue selects a tensor.
	showValue graph.TensorID
	// openValue shows the elements of a tensor.
	openValue graph.TensorID
	// showLibraries shows the frames of libraries one by one.
	showLibraries struct{}
)

func (i chooseFrame) carryOut(m *Model) tea.Cmd {
	v := m.panes.stack
	f := v.stack[i]
	if m.atStop() {
		m.asked.frame = &control.Frame{Index: int(i), File: f.File, Function: f.Func}
	}
	m.place = f
	v.opened[int(i)] = true
	m.refresh()
	return m.askLocals(int(i))
}

func (i foldFrame) carryOut(m *Model) tea.Cmd {
	v := m.panes.stack
	v.opened[int(i)] = !v.opened[int(i)]
	m.refresh()
	if !v.opened[int(i)] {
		return nil
	}
	return m.askLocals(int(i))
}

// unasked returns the frames that are open and of which the program was not asked where it stands.
func (v *stackView) unasked(s *state) (frames []control.Frame) {
	for i, f := range v.stack {
		frame := control.Frame{Index: i, File: f.File, Function: f.Func}
		if v.opened[i] && s.localsOf(frame) == nil {
			frames = append(frames, frame)
		}
	}
	return frames
}

// askLocals asks for the variables of a frame that is open, if the program can be asked.
func (m *Model) askLocals(i int) tea.Cmd {
	f := m.panes.stack.stack[i]
	frame := control.Frame{Index: i, File: f.File, Function: f.Func}
	if m.whyNot() != nil || m.localsOf(frame) != nil {
		return nil
	}
	m.asked.locals = append(m.asked.locals, locals{frame: frame})
	m.refresh()
	return m.ask(control.Ask{Kind: control.AskLocals, Frame: &frame, Seconds: localsSeconds})
}

// localsSeconds is how long the variables of a frame may take.
const localsSeconds = 5

func (i showValue) carryOut(m *Model) tea.Cmd {
	if _, ok := m.graph().Tensor(graph.TensorID(i)); !ok {
		return m.say(muted, "this is not a tensor on the tape")
	}
	m.chooseTensor(graph.TensorID(i))
	return nil
}

func (i openValue) carryOut(m *Model) tea.Cmd {
	if _, ok := m.graph().Tensor(graph.TensorID(i)); !ok {
		return m.say(muted, "this is not a tensor on the tape")
	}
	m.chooseTensor(graph.TensorID(i))
	return m.viewTensor(graph.TensorID(i), false, "")
}

func (showLibraries) carryOut(m *Model) tea.Cmd {
	m.panes.stack.libraries = true
	m.refresh()
	return nil
}

// onTape returns what the tape says about an expression at the cursor: a tensor's name, its .grad, or a
// quantity of one of them.
func (s *state) onTape(text string) (shown string, tensor graph.TensorID) {
	if m, ok := query.ParseMeasure(text); ok {
		if t, ok := s.tensorOrGrad(m.Tensor, m.Grad); ok {
			if x, known := m.Of(s.graph(), t); known {
				return fmt.Sprintf("%.4g", x), t.ID
			}
			return "not recorded", t.ID
		}
	}
	name, ofGrad := strings.CutSuffix(text, ".grad")
	t, ok := s.tensorOrGrad(text, false)
	if !ok && ofGrad {
		if t, ok = s.tensorOrGrad(name, true); !ok {
			if _, ok := s.tensorOrGrad(name, false); ok {
				return "None", 0
			}
		}
	}
	if !ok {
		return "only at a live stop", 0
	}
	return fmt.Sprintf("%s %s %s", t.DType, inspect.ShapeText(t.Shape), valueText(t.Value)), t.ID
}

// tensorOrGrad returns the tensor with a name, or its .grad.
func (s *state) tensorOrGrad(name string, grad bool) (t graph.Tensor, ok bool) {
	id, err := s.lookup(name)
	if err != nil {
		return t, false
	}
	if t, ok = s.graph().Tensor(id); ok && grad {
		return s.graph().Tensor(t.Grad)
	}
	return t, ok
}

func (v *stackView) wheel(_ *state, rows, page int) { v.scroll(rows, len(v.rows), page) }
