package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// hits is the overlay that lists the hits of a query. The list grows while the tape is read.
type hits struct {
	list
	of standing
}

// commandHits lists the hits of a query, or of a breakpoint.
func (m *Model) commandHits(args string) tea.Cmd {
	if n, ok := number(args, ""); ok || args == "" && len(m.queries) == 1 {
		i := slices.IndexFunc(m.queries, func(q standing) bool { return q.ID == n || args == "" })
		if i < 0 {
			return m.sayError(fmt.Errorf("there is no breakpoint %q; :break lists them", args))
		}
		return m.listHits(m.queries[i])
	}
	q, err := query.Parse(args)
	if err != nil {
		return m.sayError(err)
	}
	of := standing{query: q, hits: query.NewHits(m.tape, q)}
	of.Query = args
	m.index.listed = of.hits
	return m.listHits(of)
}

func (m *Model) listHits(of standing) tea.Cmd {
	h := &hits{of: of}
	n, exact := slices.BinarySearch(of.found(&m.state), m.at())
	if !exact && n > 0 {
		n--
	}
	h.chosen = n
	m.overlay = h
	return nil
}

func (h *hits) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	found := h.of.found(&m.state)
	if by, ok := scrolling(key.String(), h.height(m)); ok {
		h.move(by, len(found))
		return nil
	}
	switch key.String() {
	case "enter":
		m.close()
		if h.chosen < len(found) {
			return m.apply(goTo(found[h.chosen]))
		}
	case "b":
		m.close()
		return m.addBreakpoint(h.of.Breakpoint)
	case "esc", "q", "ctrl+c":
		m.close()
	}
	return nil
}

func (h *hits) paste(*Model, string) tea.Cmd { return nil }
func (h *hits) cursor(*Model) *tea.Cursor    { return nil }

func (h *hits) height(m *Model) int { return max(min(searchRows, m.rows-7), 1) }

func (h *hits) draw(m *Model, r cells.Region) {
	found := h.of.found(&m.state)
	inside := box(r, "Hits of "+h.of.String(), min(searchColumns, r.W-6), h.height(m)+2)
	inside.Fit(0, 0, inside.W, muted, h.count(m))
	from, to := h.window(len(found), inside.H-2)
	body := inside.Part(cells.Rect{Y: 1, W: inside.W, H: inside.H - 2})
	for i := from; i < to; i++ {
		body.Fit(0, i-from, body.W, plain, m.hitWords(found[i]))
		if i == h.chosen {
			body.Flag(i-from, cells.Chosen)
		}
	}
	inside.Fit(0, inside.H-1, inside.W, muted, "enter goes there · b sets a breakpoint · esc closes")
}

// words lists the hits from the cursor's on.
func (h *hits) words(m *Model) []string {
	found := h.of.found(&m.state)
	lines := []string{h.count(m) + "."}
	for i := h.chosen; i < min(len(found), h.chosen+mostHits); i++ {
		lines = append(lines, strings.TrimSpace(m.hitWords(found[i])))
	}
	return lines
}

// count says how many hits there are.
func (h *hits) count(m *Model) string {
	said := m.hitCount(&h.of)
	if why := m.noValues(h.of.query); why != "" && len(h.of.found(&m.state)) == 0 {
		said += "; " + why
	}
	return said
}

// noValues says that a query may miss hits because the tape has few values; "" if it has.
func (s *state) noValues(q *query.Query) string {
	if s.Program != nil || !q.Needs().Values {
		return ""
	}
	return "the tape may not have the values that it asks for: gradtui run PROGRAM reads them"
}

// hitWords describes a hit: what happened, where, in which iteration.
func (s *state) hitWords(at graph.Pos) string {
	h, e := s.event(at - 1)
	said := fmt.Sprintf("%8d  %s", at, s.eventWords(e))
	if line := s.tape.Stack(h.Stack).Top(); line.Line > 0 {
		said += "  " + lineName(line)
	}
	if n, _ := s.index.timeline.Iteration(at - 1); n > 0 {
		said += fmt.Sprintf("  iteration %d", n)
	}
	return said
}

// eventWords describes an event in a few words.
func (s *state) eventWords(e graph.Event) string {
	name := func(id graph.TensorID) string { return s.nameOf(selection{tensor: id}) }
	switch e := e.(type) {
	case nil:
		return ""
	case *graph.OpRan:
		if len(e.Outputs) > 0 {
			return fmt.Sprintf("%s made %s", s.tape.String(e.Op), name(e.Outputs[0]))
		}
		return s.tape.String(e.Op) + " ran"
	case *graph.Mutated:
		return fmt.Sprintf("%s was changed in place: version %d to %d", name(e.Tensor), e.From, e.To)
	case *graph.NameBound:
		return fmt.Sprintf("%s is bound to t%d", s.tape.String(e.Name), e.Tensor)
	case *graph.GradAccumulated:
		return fmt.Sprintf("%s got a gradient", name(e.Tensor))
	case *graph.NodeReady:
		return fmt.Sprintf("n%d is about to run", e.Node)
	case *graph.SavedFreed:
		return fmt.Sprintf("the saved tensors of n%d were freed", e.Node)
	case *graph.OptimizerStepped:
		return s.tape.String(e.Optimizer) + " stepped"
	}
	return e.Kind().String()
}
