package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/console"
)

// How much of what differs is looked at and listed.
const (
	mostContrasted = 2000 // nodes, and names of tensors
	mostListed     = 40   // of each kind
)

// commandWhat lists what differs between the two moments.
func (m *Model) commandWhat(args string) tea.Cmd {
	switch {
	case args != "" && args != "differs":
		return m.sayError(errors.New("ask for: what differs"))
	case m.pin == nil:
		return m.say(muted, notPinned)
	case !m.pin.known() || m.moving():
		return m.say(muted, "the moments are still being compared")
	}
	t := &text{title: "What differs at " + console.OneLine(m.momentsText(1<<10))}
	line := func(lead, said string) {
		for i, part := range console.Wrap(console.OneLine(said), max(m.columns-24, 20)) {
			if i > 0 {
				lead = ""
			}
			t.lines = append(t.lines, styled{{headline, fmt.Sprintf("%-10s", lead)}, {plain, part}})
		}
	}
	m.tellAll(line)
	if len(t.lines) == 0 {
		line("", "nothing")
	}
	m.overlay = t
	return nil
}

// tellAll tells all that differs.
func (m *Model) tellAll(line func(lead, said string)) {
	m.tellGraph(line)
	m.tellTensors(line)
	m.tellRest(line)
}

// tellGraph tells which nodes are at one moment only, or have another status.
func (m *Model) tellGraph(line func(lead, said string)) {
	if match := m.pin.match; match != nil {
		if n := len(match.OnlyB); n > 0 {
			line("graph", fmt.Sprintf("%s of this graph, not of the one at A", plural(n, "node")))
		}
		if text := m.onlyA(); text != "" {
			line("graph", text)
		}
	}
	view := m.scope.view
	if view == nil {
		return
	}
	told := 0
	for i := range min(view.Len(), mostContrasted) {
		c := m.contrastOf(view.Node(i))
		if c.mark == "" {
			continue
		}
		if told++; told > mostListed {
			continue
		}
		n, _ := m.graph().Node(view.Node(i))
		name := m.nameOf(selection{node: n.ID})
		if t, ok := m.graph().Tensor(n.Variable); ok && n.Variable != 0 {
			name = tensorName(t)
		}
		if c.mark == markOnlyB {
			line("node", name+": not at A")
		} else {
			line("node", fmt.Sprintf("%s: %s at A, %s at B", name, c.then, m.statusWord(n)))
		}
	}
	if told > mostListed {
		line("node", fmt.Sprintf("and %d more", told-mostListed))
	}
}

// tellTensors tells which of the tensors that have names differ.
func (m *Model) tellTensors(line func(lead, said string)) {
	seen := map[graph.TensorID]bool{}
	told, looked := 0, 0
	for b := range m.graph().Bindings() {
		if b.Tensor == 0 || seen[b.Tensor] {
			continue
		}
		seen[b.Tensor] = true
		if looked++; looked > mostContrasted {
			break
		}
		facts := m.tensorDiffers(b.Tensor)
		if len(facts) == 0 {
			continue
		}
		if told++; told <= mostListed {
			t, _ := m.graph().Tensor(b.Tensor)
			line("tensor", tensorName(t)+": "+strings.Join(facts, "; "))
		}
	}
	for a := range m.pin.graph().Bindings() { // names that mean nothing at B
		if _, bound := m.graph().Lookup(a.Name); bound || a.Tensor == 0 || a.Name == "" {
			continue
		}
		if looked++; looked > mostContrasted {
			break
		}
		if told++; told <= mostListed {
			line("tensor", a.Name+": only at A")
		}
	}
	if told > mostListed {
		line("tensor", fmt.Sprintf("and %d more", told-mostListed))
	}
}

// tensorDiffers tells how a tensor differs from what it was at moment A.
func (m *Model) tensorDiffers(id graph.TensorID) (facts []string) {
	b, ok := m.graph().Tensor(id)
	if !ok {
		return nil
	}
	a, ok := m.pin.tensor(&m.state, id)
	if !ok {
		return []string{"not at A"}
	}
	if x, y := formText(a), formText(b); x != y {
		facts = append(facts, x+" at A, "+y+" at B")
	}
	if x, y := m.pin.graph().Version(a.ID), m.graph().Version(id); x != y {
		facts = append(facts, fmt.Sprintf("version %d at A, %d at B", x, y))
	}
	if x := m.pin.graph().RequiresGrad(a.ID); x != m.graph().RequiresGrad(id) {
		facts = append(facts, fmt.Sprintf("requires_grad %v at A", x))
	}
	if text := valueDiffers(a.Value, b.Value); text != "" {
		facts = append(facts, text)
	}
	g, hadGrad := m.pin.graph().Tensor(a.Grad)
	h, hasGrad := m.graph().Tensor(b.Grad)
	switch {
	case hadGrad && !hasGrad:
		facts = append(facts, ".grad "+briefly(g.Value)+" at A, None at B")
	case hasGrad && !hadGrad:
		facts = append(facts, ".grad None at A, "+briefly(h.Value)+" at B")
	case hasGrad:
		if text := valueDiffers(g.Value, h.Value); text != "" {
			facts = append(facts, ".grad "+text)
		}
	}
	return facts
}

// valueDiffers tells how two values differ; "" if they do not, or it is not known.
func valueDiffers(a, b graph.Value) string {
	if compare.SameValue(a, b) {
		return ""
	}
	text := briefly(a.Completed()) + " at A, " + briefly(b.Completed()) + " at B"
	if d, ok := compare.Between(a, b); ok {
		text += ", |a-b|/|a| " + d.String()
	}
	return text
}

// tellRest tells about memory, findings and output.
func (m *Model) tellRest(line func(lead, said string)) {
	p := m.pin
	if p.index.memory.Pos() >= p.at() && m.index.memory.Pos() >= m.at() {
		if x, y := p.index.memory.At(p.at()), m.index.memory.At(m.at()); x.Bytes != y.Bytes {
			line("memory", fmt.Sprintf("%s held at A, %s at B (%s)", size(x.Bytes), size(y.Bytes), change(y.Bytes-x.Bytes)))
		}
	}
	for i := range m.findings.all() {
		if f := &m.findings.all()[i]; m.sinceA(f).mark != "" {
			line("finding", fmt.Sprintf("%s %s: %s", lineName(f.Primary.Frame), f.Code, f.Message))
		}
	}
	if from, to, ok := m.amid(); ok {
		if n := m.index.printed.until(to) - m.index.printed.until(from); n > 0 {
			line("output", amidText(n, "line"))
		}
	}
}
