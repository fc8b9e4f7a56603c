package mend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
)

// context is how many lines a diff shows around a change.
const context = 3

// A change replaces lines of a text, counted from 0.
type change struct {
	first, end int // of the old lines
	lines      []string
}

// Diff describes a fix as a unified diff of a file, whose lines are those of the text that ran.
func Diff(fix *inspect.Fix, name string, lines []string) (string, error) {
	changes, err := changes(fix, lines)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1] // behind the last line end
	}
	shift := 0
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].first-changes[n-1].end <= 2*context {
			n++
		}
		shift += hunk(&b, changes[:n], lines, shift)
		changes = changes[n:]
	}
	return b.String(), nil
}

// hunk writes changes that are near each other, and returns by how many lines they make the text longer.
func hunk(b *strings.Builder, changes []change, lines []string, shift int) (longer int) {
	first := max(changes[0].first-context, 0)
	end := min(changes[len(changes)-1].end+context, len(lines))
	var body strings.Builder
	write := func(mark string, lines ...string) {
		for _, l := range lines {
			body.WriteString(mark + strings.TrimSuffix(l, "\r") + "\n")
		}
	}
	at := first
	for _, c := range changes {
		write(" ", lines[at:c.first]...)
		write("-", lines[c.first:min(c.end, len(lines))]...)
		write("+", c.lines...)
		at = c.end
		longer += len(c.lines) - (c.end - c.first)
	}
	if at < end {
		write(" ", lines[at:end]...)
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n%s", extent(first, end-first), extent(first+shift, end-first+longer), body.String())
	return longer
}

func extent(first, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", first)
	}
	if n == 1 {
		return fmt.Sprint(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}

// changes are the lines that the edits of a fix change.
func changes(fix *inspect.Fix, lines []string) (all []change, err error) {
	edits := slices.Clone(fix.Edits)
	for len(edits) > 0 {
		n, first, last := 1, edits[0].Line-1, edits[0].EndLine-1
		for n < len(edits) && edits[n].Line-1 <= last {
			last = max(last, edits[n].EndLine-1)
			n++
		}
		if first < 0 || last >= len(lines) {
			return nil, inspect.ErrEdit
		}
		part := inspect.Fix{Edits: slices.Clone(edits[:n])}
		for i := range part.Edits {
			part.Edits[i].Line -= first
			part.Edits[i].EndLine -= first
		}
		after, err := part.Apply(strings.Join(lines[first:last+1], "\n"))
		if err != nil {
			return nil, err
		}
		c := change{first, last + 1, strings.Split(after, "\n")}
		for c.first < c.end && len(c.lines) > 0 && lines[c.first] == c.lines[0] {
			c.first++
			c.lines = c.lines[1:]
		}
		for c.first < c.end && len(c.lines) > 0 && lines[c.end-1] == c.lines[len(c.lines)-1] {
			c.end--
			c.lines = c.lines[:len(c.lines)-1]
		}
		all = append(all, c)
		edits = edits[n:]
	}
	return all, nil
}
