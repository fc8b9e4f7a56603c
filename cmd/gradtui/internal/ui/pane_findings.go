package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// findingsView lists what the rules found. One finding is open: its lines and what to
// do are shown below it, and enter goes to the event of a line.
type findingsView struct {
	list
	rows []findingRow
	made findingsKey // what the rows were made for
}

type findingsKey struct {
	report        *inspect.Result
	opened, width int
	pinned        bool
	from, to      graph.Pos       // of the stretch between the moments
	other         *inspect.Result // the findings at moment A, on another tape
	since         *runDiff
}

// A findingRow is a finding, or a line about the open one.
type findingRow struct {
	finding int
	text    styled
	span    int       // of the finding, as span counts them; -1: none
	at      graph.Pos // where enter goes; -1: nowhere
}

// FindingKey is equal for findings of the same rule at the same line, in whichever
// report it is.
func FindingKey(f *inspect.Finding) string {
	return fmt.Sprintf("%s at %s:%d", f.Code, f.Primary.File, f.Primary.Line)
}

// span is a place that a finding names: the primary one, then the related ones, then where its
// evidence is.
func span(f *inspect.Finding, i int) inspect.Span {
	switch {
	case i == 0:
		return f.Primary
	case i <= len(f.Related):
		return f.Related[i-1]
	}
	return f.Evidence[i-1-len(f.Related)].Span
}

func (v *findingsView) about(s *state) string {
	switch {
	case s.findings.report == nil && s.program.running:
		return "are checked when the program stops"
	case s.findings.report == nil:
		return "looking…"
	}
	counts := [4]int{}
	for _, f := range s.findings.report.Findings {
		counts[f.Severity]++
	}
	var parts []string
	for bad := inspect.SeverityError; bad >= inspect.SeverityHint; bad-- {
		if n := counts[bad]; n > 0 {
			parts = append(parts, plural(n, bad.String()))
		}
	}
	if n := s.countSinceA(); n > 0 && s.pin.elsewhere != nil {
		parts = append(parts, fmt.Sprintf("%d not at A", n))
	} else if n > 0 {
		parts = append(parts, fmt.Sprintf("%d between A and B", n))
	}
	if len(parts) == 0 {
		parts = append(parts, "none")
	}
	if c := s.changeSince(); c != nil && c.counts() != "" {
		parts = append(parts, c.counts())
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// lay makes the rows for a width.
func (v *findingsView) lay(s *state, width int) {
	key := findingsKey{report: s.findings.report, opened: s.findings.opened, width: width, pinned: s.pin != nil}
	key.from, key.to, _ = s.amid()
	key.since = s.changeSince()
	if s.pin != nil {
		key.other = s.pin.findings.report
	}
	if key == v.made {
		return
	}
	v.made, v.rows = key, nil
	if s.findings.report == nil {
		return
	}
	for i := range s.findings.report.Findings {
		f := &s.findings.report.Findings[i]
		place := ""
		if f.Primary.Known() {
			place = lineName(f.Primary.Frame) + "  "
		}
		var text styled
		if since := s.sinceA(f); since.mark != "" {
			text = append(text, piece{since.style, since.mark + " "})
		}
		if key.since != nil && key.since.isNew(f) {
			text = append(text, piece{strong, "new "})
		}
		text = append(text, styled{{severityStyles[f.Severity], severityMarks[f.Severity] + " " + f.Code + "  "}, {strong, place}}...)
		if i != s.findings.opened {
			text = append(text, piece{plain, console.OneLine(f.Message)})
		}
		v.rows = append(v.rows, findingRow{finding: i, span: 0, at: f.Primary.At, text: text})
		if i == s.findings.opened {
			v.detail(s, i, f, width)
		}
	}
}

// detail adds the rows about the open finding.
func (v *findingsView) detail(state *state, i int, f *inspect.Finding, width int) {
	add := func(style cells.Style, lead, text string, span int, at graph.Pos) {
		for k, line := range console.Wrap(console.OneLine(text), max(width-console.Width(lead)-3, 10)) {
			if k > 0 {
				lead = strings.Repeat(" ", console.Width(lead))
			}
			v.rows = append(v.rows, findingRow{finding: i, span: span, at: at, text: styled{{muted, "  " + lead}, {style, line}}})
		}
	}
	for line := range strings.Lines(f.Message) {
		add(plain, "", line, -1, -1)
	}
	for k := range 1 + len(f.Related) {
		s := span(f, k)
		if !s.Known() {
			continue
		}
		style := plain
		if k == 0 {
			style = severityStyles[f.Severity]
		}
		add(style, lineName(s.Frame)+" ", s.Label, k, s.At)
	}
	if f.Count > 1 {
		add(muted, "", fmt.Sprintf("found %d times at this line", f.Count), -1, -1)
	}
	if f.Help != "" {
		add(output, "help: ", f.Help, -1, -1)
	}
	state.fixRows(f, func(style cells.Style, lead, text string) { add(style, lead, text, -1, -1) })
	for k, e := range f.Evidence {
		place, text := -1, e.Label
		if e.Known() {
			place, text = 1+len(f.Related)+k, text+" ("+lineName(e.Frame)+")"
		}
		add(plain, weight(e), text, place, e.At)
	}
	for _, a := range f.Instead {
		add(plain, "not "+a.Code+": ", a.Fact, -1, -1)
	}
}

// weight says which way a fact speaks.
func weight(e inspect.Evidence) string {
	if e.Against {
		return "although: "
	}
	return "because: "
}

func (v *findingsView) refresh(s *state, body cells.Rect) {
	if body.W > 0 {
		v.lay(s, body.W)
	}
}

func (v *findingsView) draw(s *state, r cells.Region, focused bool) {
	v.lay(s, r.W)
	if len(v.rows) == 0 {
		text := "No findings so far."
		switch {
		case s.findings.report == nil:
			text = "The rules run when the program stops or ends."
		case s.program.over || s.Program == nil:
			text = "No findings."
		}
		r.Fit(1, 0, r.W-1, muted, text)
		s.drawGone(r.Below(2))
		return
	}
	from, to := v.window(len(v.rows), r.H)
	for i := from; i < to; i++ {
		v.rows[i].text.write(r, 1, i-from)
		if i == v.chosen && focused {
			r.Flag(i-from, cells.Chosen)
		}
	}
	drawScrollBar(r, from, len(v.rows))
	if len(v.rows)+1 < r.H {
		s.drawGone(r.Below(len(v.rows) + 1))
	}
}

func (v *findingsView) move(_ *state, rows, _ int) intent {
	v.list.move(rows, len(v.rows))
	return nil
}

// open opens the chosen finding, or goes to the event of the chosen line.
func (v *findingsView) open(s *state) intent {
	if v.chosen >= len(v.rows) {
		return nil
	}
	row := v.rows[v.chosen]
	if row.finding != s.findings.opened {
		v.show(s, row.finding)
		return toPlace(s.findings.report.Findings[row.finding].Primary)
	}
	if row.span < 0 {
		return nil
	}
	return toPlace(span(&s.findings.report.Findings[row.finding], row.span))
}

func (v *findingsView) click(s *state, _, row int) intent {
	v.chosen = v.top + row
	return v.open(s)
}

// show opens a finding.
func (v *findingsView) show(s *state, i int) {
	s.findings.opened, s.findings.walked = i, -1
	v.lay(s, max(v.made.width, MinColumns))
	for k, row := range v.rows {
		if row.finding == i {
			v.chosen = k
			break
		}
	}
	v.top = v.chosen
}

// choosePlace chooses the row of a place of the open finding.
func (v *findingsView) choosePlace(s *state, at inspect.Span) {
	v.lay(s, max(v.made.width, MinColumns))
	for k, row := range v.rows {
		if row.finding == s.findings.opened && row.span >= 0 && k > 0 && v.rows[k-1].finding == row.finding &&
			span(&s.findings.report.Findings[row.finding], row.span) == at {
			v.chosen = k
			return
		}
	}
}

// openAt opens the finding about what happened before an event: the one whose symptom
// that is, or the most relevant one, which may be its cause.
func (v *findingsView) openAt(s *state, p graph.Pos) {
	best := 0
	for i, f := range s.findings.report.Findings {
		if f.Symptom == p-1 && !isEnding(&f) {
			best = i
			break
		}
	}
	v.show(s, best)
}

// nextFinding goes to the next finding after the cursor; after the last one comes
// the first one again.
func (m *Model) nextFinding() tea.Cmd {
	best, first := -1, 0
	all := m.findings.report.Findings
	for i, f := range all {
		if f.At >= m.at() && (best < 0 || f.At < all[best].At) {
			best = i
		}
		if f.At < all[first].At {
			first = i
		}
	}
	if best < 0 {
		best = first
	}
	m.show(findingsPane)
	m.panes.findings.show(&m.state, best)
	return m.goToEvent(all[best].At)
}

func (v *findingsView) breakpoint(s *state) string {
	if v.chosen >= len(v.rows) {
		return ""
	}
	row := v.rows[v.chosen]
	return breakOnLine(span(&s.findings.report.Findings[row.finding], max(row.span, 0)).Frame)
}

func (v *findingsView) copied(s *state) string {
	if v.chosen >= len(v.rows) {
		return ""
	}
	f := s.findings.report.Findings[v.rows[v.chosen].finding]
	text := fmt.Sprintf("%s[%s]: %s:%d: %s", f.Severity, f.Code, f.Primary.File, f.Primary.Line, f.Message)
	if f.Help != "" {
		text += "\nhelp: " + f.Help
	}
	return text
}

func (v *findingsView) words(s *state) (lines []string) {
	if s.findings.report == nil {
		return nil
	}
	if c := s.changeSince(); c != nil {
		for i := range c.gone {
			lines = append(lines, "Gone since the last run: "+nameOfFinding(&c.gone[i])+".")
		}
	}
	for i := range s.findings.report.Findings {
		f := &s.findings.report.Findings[i]
		if since := s.sinceA(f); since.mark != "" {
			where := "Between A and B:"
			if s.pin.elsewhere != nil {
				where = "Not at A:"
			}
			lines = append(lines, where)
		}
		lines = append(append(lines, FindingWords(f)...), evidenceWords(f)...)
	}
	return lines
}

func (v *findingsView) rowCount(s *state) int {
	if c := s.changeSince(); c != nil && len(c.gone) > 0 {
		return max(len(v.rows), 1) + 1 + len(c.gone)
	}
	return len(v.rows)
}

func (v *findingsView) wheel(_ *state, rows, page int) { v.scroll(rows, len(v.rows), page) }
