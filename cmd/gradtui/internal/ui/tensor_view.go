package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tensorview"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/console"
)

// A held is a tensor or a gradient whose elements can be looked at.
type held struct {
	name   string
	shape  []int
	value  graph.Value
	tensor graph.TensorID // zero: a gradient on its way
	grads  bool           // the .grad of that tensor
	why    string         // why the value is not known
}

// tensorView is the overlay that shows the elements of a tensor: as numbers, as marks, as
// colours, as a histogram. It goes through the moments at which the tensor changed.
type tensorView struct {
	held
	leads fact // what enter goes to

	moments []lookup.Moment
	at      int  // the moment that is shown
	opened  int  // the moment at the cursor where the view was opened; -1: none is known
	read    bool // the moments are known

	fetching fetching

	view   *tensorview.View // what is shown: the elements, or their difference
	own    *tensorview.View // the elements
	pinned *tensorview.View // nil: none
	pin    string           // the moment of pinned
	stats  tensorview.Stats
	bins   []tensorview.Bin

	way       int // numbers, marks, colours or histogram
	top, left int
	slice     *input // being typed
	said      string
}

// The ways to show elements.
const (
	asNumbers = iota
	asMarks
	asHeat
	asHistogram
	tensorWays
)

// momentsMsg brings when a tensor changed.
type momentsMsg struct {
	of    *tensorView
	found []lookup.Moment
	at    int // the one at the cursor; -1: none
}

// openTensor shows what a tensor or a gradient holds.
func (m *Model) openTensor(h held, leads fact, slice string) tea.Cmd {
	v := &tensorView{held: h, leads: leads, at: -1, opened: -1}
	v.show(h.shape, h.value)
	if err := v.cut(slice); err != nil {
		return m.sayError(err)
	}
	v.compareWithA(m)
	m.overlay = v
	if h.tensor == 0 {
		v.read = true
		return nil
	}
	tape, at := m.tape, m.at()
	return func() tea.Msg {
		msg := momentsMsg{of: v, found: lookup.Moments(tape, h.tensor, h.grads), at: -1}
		for i, moment := range msg.found {
			if moment.At < at {
				msg.at = i
			}
		}
		return msg
	}
}

// heldTensor returns a tensor, or its .grad, as it is at the cursor.
func (s *state) heldTensor(id graph.TensorID, grads bool) (held, error) {
	t, ok := s.graph().Tensor(id)
	if !ok {
		return held{}, errors.New("that tensor does not exist here")
	}
	h := held{name: tensorName(t), tensor: id, grads: grads}
	if grads {
		h.name += ".grad"
		if t, ok = s.graph().Tensor(t.Grad); !ok {
			return held{}, fmt.Errorf("%s is None here", h.name)
		}
	}
	h.shape, h.value = t.Shape, t.Value
	if !t.Value.Known() {
		h.why = lookup.NoValue(s.tape, t)
	}
	return h, nil
}

// viewChosen shows the tensor that is selected, or what the chosen row of the inspector names.
func (m *Model) viewChosen() tea.Cmd {
	if f := m.panes.all[inspectorPane].(*inspectorView).chosenFact(); m.focus == inspectorPane && f.holds != nil {
		return m.openTensor(*f.holds, f, "")
	}
	id := m.chosenTensor()
	if id == 0 {
		return m.say(muted, "no tensor is selected")
	}
	return m.viewTensor(id, false, "")
}

func (m *Model) viewTensor(id graph.TensorID, grads bool, slice string) tea.Cmd {
	h, err := m.heldTensor(id, grads)
	if err != nil {
		return m.sayError(err)
	}
	return m.openTensor(h, fact{tensor: id, at: -1}, slice)
}

// commandValue shows a tensor: value fc1.weight.grad 0, :
func (m *Model) commandValue(args string) tea.Cmd {
	name, slice, _ := strings.Cut(args, " ")
	if name == "" {
		return m.viewChosen()
	}
	id, err := m.lookup(name)
	if err == nil {
		return m.viewTensor(id, false, slice)
	}
	if of, ok := strings.CutSuffix(name, ".grad"); ok {
		if id, err := m.lookup(of); err == nil {
			return m.viewTensor(id, true, slice)
		}
	}
	return m.sayError(err)
}

// show takes other elements, and shows the same part of them.
func (v *tensorView) show(shape []int, value graph.Value) {
	before := v.own
	v.shape, v.value = shape, value
	v.own = tensorview.New(shape, value)
	if before != nil {
		v.own.Like(before)
	}
	v.refresh()
}

// cut shows a slice.
func (v *tensorView) cut(slice string) error {
	if err := v.own.Slice(slice); err != nil {
		return err
	}
	v.top, v.left = 0, 0
	v.refresh()
	return nil
}

// refresh computes what is shown of the elements.
func (v *tensorView) refresh() {
	v.view, v.said = v.own, ""
	if v.pinned != nil {
		if d, ok := v.own.Minus(v.pinned); ok {
			v.view = d
		} else {
			v.said = "the pinned value has another shape"
		}
	}
	v.stats, v.bins = v.view.Stats(), nil
}

// differs reports whether the difference to the pinned value is shown.
func (v *tensorView) differs() bool { return v.view != v.own }

// take takes the moments.
func (v *tensorView) take(m *Model, msg tea.Msg) tea.Cmd {
	got, ok := msg.(momentsMsg)
	if !ok || got.of != v {
		return nil
	}
	v.moments, v.at, v.opened, v.read = got.found, got.at, got.at, true
	if v.at >= 0 && (v.moments[v.at].Read > 0 || len(v.moments[v.at].Parts) > 0) {
		v.showMoment(m)
	}
	return v.fetch(m)
}

// turn goes to another moment.
func (v *tensorView) turn(m *Model, by int) {
	to := v.at + by
	switch {
	case !v.read:
		v.said = "reading the tape…"
	case v.tensor == 0:
		v.said = "a gradient on its way does not change; look at .grad, or at the node in another pass"
	case to < 0:
		v.said = "the tape has no earlier value"
	case to >= len(v.moments):
		v.said = "the tape has no later value"
	default:
		v.at, v.fetching = to, fetching{}
		v.showMoment(m)
	}
}

// pinOrUnpin keeps the value that is shown, to compare others with it, or lets it go.
func (v *tensorView) pinOrUnpin(m *Model) {
	if v.pinned != nil {
		v.pinned = nil
		v.refresh()
		return
	}
	v.pinned, v.pin = v.own, v.momentText(m)
	v.refresh()
	v.said = "pinned; < and > show the difference to it"
}

func (v *tensorView) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	if v.slice != nil {
		v.typed(key)
		return v.fetch(m)
	}
	v.said = ""
	page := max(m.rows-8, 1)
	if by, ok := scrolling(key.String(), page); ok {
		v.top += by
		return v.fetch(m)
	}
	switch key.String() {
	case "left", "h":
		v.left--
	case "right", "l":
		v.left++
	case "0":
		v.left = 0
	case "$":
		v.left = allRows
	case "<", ",":
		v.turn(m, -1)
	case ">", ".":
		v.turn(m, 1)
	case "]", "[":
		by := 1
		if key.String() == "[" {
			by = -1
		}
		if !v.own.Turn(by) {
			v.said = "the slice has no other leading index there"
		}
		v.refreshKeeping()
	case "=":
		v.pinOrUnpin(m)
	case "v", "tab":
		v.nextWay(m)
	case ":", "/":
		v.slice = &input{}
	case "enter":
		return m.leave(v.leads)
	case "esc", "q", "ctrl+c", "V":
		return m.close()
	}
	return v.fetch(m)
}

// nextWay shows the elements in another way. Without colours a map of colours says nothing.
func (v *tensorView) nextWay(m *Model) {
	v.way, v.top, v.left = (v.way+1)%tensorWays, 0, 0
	if v.way == asHeat && m.colourless {
		v.way++
	}
}

// refreshKeeping is refresh with the message that was just said.
func (v *tensorView) refreshKeeping() {
	said := v.said
	v.refresh()
	if said != "" {
		v.said = said
	}
}

// leave closes an overlay and goes to what a row leads to.
func (m *Model) leave(to fact) tea.Cmd {
	m.close()
	return m.apply(to.intent())
}

// typed takes a key of the slice that is being typed.
func (v *tensorView) typed(key tea.KeyPressMsg) {
	switch key.String() {
	case "esc", "ctrl+c":
		v.slice = nil
	case "enter":
		text := strings.TrimSpace(v.slice.String())
		if rest, ok := strings.CutPrefix(text, "slice"); ok {
			text = rest
		}
		v.slice = nil
		if err := v.cut(text); err != nil {
			v.said = err.Error()
		}
	default:
		if key.String() == "backspace" && len(v.slice.text) == 0 {
			v.slice = nil
			return
		}
		v.slice.press(key)
	}
}

func (v *tensorView) paste(_ *Model, text string) tea.Cmd {
	if v.slice != nil {
		v.slice.insert(text)
	}
	return nil
}

// momentText says when the value is from.
func (v *tensorView) momentText(m *Model) string {
	if v.at < 0 || v.at >= len(v.moments) {
		return fmt.Sprintf("at event %d", m.at())
	}
	p := v.moments[v.at].At
	text := fmt.Sprintf("event %d", p)
	if n, _ := m.index.timeline.Iteration(p); n > 0 {
		text = fmt.Sprintf("iteration %d, event %d", n, p)
	}
	if f := m.line(p); f.Line > 0 {
		text += ", " + lineName(f)
	}
	return text
}

// title names the tensor and its part.
func (v *tensorView) title() string {
	name := console.OneLine(v.name)
	if v.differs() {
		name = "change of " + name
	}
	dtype := ""
	if v.value.Known() {
		dtype = " " + v.value.DType.String()
	}
	text := name + " " + inspect.ShapeText(v.shape) + dtype
	if part := v.view.String(); part != "" && strings.Trim(part, "[:, ]") != "" {
		text += "  " + part
	}
	if n := v.own.Pages(); n > 1 {
		text += fmt.Sprintf(" of %d", n)
	}
	return text
}

// facts are the sentences over the grid: when the value is from, its statistics, what is missing.
func (v *tensorView) facts(m *Model) (lines []styled) {
	line := func(style styled) { lines = append(lines, style) }
	when := v.momentText(m)
	if v.at >= 0 && v.at < len(v.moments) {
		when += fmt.Sprintf(", value %d of %d", v.at+1, len(v.moments))
	}
	if v.differs() {
		when += ", minus the value of " + v.pin
	}
	if !v.read {
		when += ", reading the tape…"
	}
	line(styled{{muted, when}})
	if !v.value.Known() {
		line(styled{{warned, console.OneLine(v.missing())}})
		return lines
	}
	switch s := v.stats; {
	case s.Whole && s.Known > 0:
		lead := ""
		if v.view.String() != "" && !v.wholeShown() {
			lead = "of this part: "
		}
		line(styled{{plain, fmt.Sprintf("%smin %.4g  max %.4g  mean %.4g  std %.4g  norm %.4g", lead, s.Min, s.Max, s.Mean, s.Std, s.Norm)}})
		line(counts(graph.Value{Count: uint64(s.Known), Measured: true, Zeros: uint64(s.Zeros), NaN: uint64(s.NaN), Inf: uint64(s.Inf)}))
	case !v.differs() && v.value.Count > 0 && !(v.own.Filled() && v.value.Min == 0 && v.value.Max == 0 && !v.value.Measured):
		x := v.value
		text := fmt.Sprintf("of the whole tensor: min %.4g  max %.4g  mean %.4g", x.Min, x.Max, x.Mean)
		if x.Measured {
			text += fmt.Sprintf("  norm %.4g", x.Norm)
		}
		line(styled{{plain, text}})
		line(counts(x))
	}
	if !v.own.Complete() {
		line(styled{{warned, console.OneLine(v.missing())}})
	}
	return lines
}

// wholeShown reports whether the grid has all elements of the tensor.
func (v *tensorView) wholeShown() bool {
	return v.own.Pages() == 1 && uint64(v.stats.Known) == v.value.Count
}

// counts says how many elements are special. The zeros of a value that is not measured are not known.
func counts(x graph.Value) styled {
	s := styled{{plain, plural(int(x.Count), "element")}}
	add := func(n uint64, what string, style cells.Style) {
		if n == 0 {
			style = muted
		}
		s = append(s, piece{muted, " · "}, piece{style, fmt.Sprintf("%d %s", n, what)})
	}
	if x.Measured {
		add(x.Zeros, "zero", plain)
	}
	add(x.NaN, "NaN", failed)
	add(x.Inf, "infinite", failed)
	return s
}
