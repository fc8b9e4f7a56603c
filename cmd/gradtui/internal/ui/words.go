package ui

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// The debugger in words: what panes, messages and findings say without drawing.

// maxRows is how many rows of a pane, or lines of output, are said at once.
const maxRows = 40

// around returns the rows of n around one of them that are said.
func around(chosen, n int) (from, to int) {
	from = max(min(chosen-maxRows/4, n-maxRows), 0)
	return from, min(from+maxRows, n)
}

// selectionWords describes a node or a tensor.
func (m *Model) selectionWords(s selection) string {
	if t, ok := m.graph().Tensor(s.tensor); ok {
		text := fmt.Sprintf("tensor %s, %s %s%s", tensorName(t), t.DType, inspect.ShapeText(t.Shape), graph.DeviceText(t.Device))
		switch n, made := m.graph().Node(t.Node); {
		case made:
			text += fmt.Sprintf(", grad_fn %s n%d", n.Name, n.ID)
		case t.RequiresGrad:
			text += ", a leaf that requires grad"
		}
		return text + fmt.Sprintf(", version %d, value %s", m.graph().Version(t.ID), valueText(t.Value))
	}
	n, ok := m.graph().Node(s.node)
	if !ok {
		return ""
	}
	return fmt.Sprintf("node %s n%d, %s", n.Name, n.ID, m.panes.graph.inWords(&m.state, n, 0))
}

// lineWords describes a line of the program, to be added to a sentence.
func (s *state) lineWords(f graph.Frame) string {
	if f.Line <= 0 {
		return ""
	}
	text := fmt.Sprintf(", %s line %d", filepath.Base(f.File), f.Line)
	if f.Func != "" {
		text += " in " + f.Func
	}
	if lines := s.sources.file(f.File).lines; f.Line <= len(lines) {
		text += ": " + strings.TrimSpace(lines[f.Line-1])
	}
	return text
}

// FindingWords returns the sentences of a finding.
func FindingWords(f *inspect.Finding) []string {
	lines := []string{fmt.Sprintf("Finding, %s %s: %s.", f.Severity, f.Code, f.Message)}
	if isEnding(f) {
		lines[0] = fmt.Sprintf("The program %s: %s.", f.Code, strings.TrimSuffix(f.Message, "."))
	}
	for k := range 1 + len(f.Related) {
		if s := span(f, k); s.Known() {
			lines = append(lines, fmt.Sprintf("At %s line %d: %s.", filepath.Base(s.File), s.Line, s.Label))
		}
	}
	if f.Count > 1 {
		lines = append(lines, fmt.Sprintf("It was found %d times.", f.Count))
	}
	if f.Help != "" {
		lines = append(lines, "Help: "+f.Help)
	}
	return lines
}

// evidenceWords returns the sentences about what the rule of a finding has weighed.
func evidenceWords(f *inspect.Finding) (lines []string) {
	for _, e := range f.Evidence {
		word := "Because"
		if e.Against {
			word = "Although"
		}
		lines = append(lines, word+": "+e.Label+".")
	}
	for _, a := range f.Instead {
		lines = append(lines, "Not "+a.Code+": "+a.Fact+".")
	}
	return lines
}

// sentences joins lines that were wrapped: a continued line begins with blanks.
func sentences(lines []styled) (joined []string) {
	for _, line := range lines {
		text := line.words()
		switch last := len(joined) - 1; {
		case text == "":
		case last >= 0 && len(line) > 1 && strings.TrimSpace(line[0].text) == "":
			joined[last] += " " + text
		default:
			joined = append(joined, text)
		}
	}
	return joined
}

// words returns the line without its marks.
func (s styled) words() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.text)
	}
	return inWords(b.String())
}

// spoken replaces the marks that mean something.
var spoken = strings.NewReplacer("→", " to ", "↔", " and ", "⇢", " through ", "←", " of ", "×", " times ", "⋅", " times ", "∂", "d", "ᵀ", " transposed", "·", ", ", "✗ failed", "failed", "✗", "modified:", "≠", "changed:", "…", "...")

// inWords returns text without the characters that only draw.
func inWords(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x2190 && r <= 0x2bff && unicode.IsSymbol(r) {
			return ' '
		}
		return r
	}, spoken.Replace(s))
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), " ,", ",")
}
