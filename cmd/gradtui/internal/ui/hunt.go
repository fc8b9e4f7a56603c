package ui

import (
	"path"
	"slices"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/inspect"
)

// A hunt is for findings while the program runs, which takes a breakpoint on one.
type hunt struct {
	found  map[string]bool // what was found so far
	caught string          // why the program is being interrupted; "": it is not
}

// hunting reports whether findings are looked for while the program runs.
func (m *Model) hunting() bool {
	return m.runs() && slices.ContainsFunc(m.points, func(b control.Breakpoint) bool { return b.On == control.OnFinding })
}

// look takes the findings that there are now. When one that was not there before has
// a breakpoint, a program that runs is interrupted.
func (h *hunt) look(m *Model) {
	if h.found == nil {
		h.found = map[string]bool{}
	}
	for i := range m.report.Findings {
		f := &m.report.Findings[i]
		key := findingKey(f)
		known := h.found[key]
		h.found[key] = true
		if known || h.caught != "" || !m.hunting() || !slices.ContainsFunc(m.points, func(b control.Breakpoint) bool { return stopsAt(b, f) }) {
			continue
		}
		if err := m.Program.Interrupt(); err != nil {
			m.sayError(err)
			return
		}
		h.caught = "stopped at a finding: " + f.Code
		m.findings().show(m, i)
		m.show(findingsPane)
	}
}

// stopsAt reports whether a breakpoint is on a finding. One that names no code is on
// all errors: what is a warning in the middle of a run may be none at its end.
func stopsAt(b control.Breakpoint, f *inspect.Finding) bool {
	if b.On != control.OnFinding {
		return false
	}
	if b.Pattern == "" {
		return f.Severity == inspect.SeverityError
	}
	ok, err := path.Match(b.Pattern, f.Code)
	return ok && err == nil
}
