package export

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// EmptyError says that there is nothing to export: no tensor exists at the
// graph's position.
type EmptyError struct {
	Pos graph.Pos // the position
	Len graph.Pos // the number of events on the tape
}

func (e *EmptyError) Error() string {
	switch {
	case e.Len == 0:
		return "nothing to export: the tape is empty"
	case e.Pos == e.Len:
		return fmt.Sprintf("nothing to export: none of the %d events on the tape made a tensor", e.Len)
	}
	return fmt.Sprintf("nothing to export: no tensor exists at event %d of %d", e.Pos, e.Len)
}

// FormatError is a request for a format that does not exist.
type FormatError struct{ Name string }

func (e *FormatError) Error() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f.Format))
	}
	return fmt.Sprintf("unknown format %s (have %s)", quoted(e.Name), strings.Join(names, ", "))
}

// StyleError is a request for a style that does not exist.
type StyleError struct{ Name string }

func (e *StyleError) Error() string {
	return fmt.Sprintf("unknown style %s (have %s)", quoted(e.Name), strings.Join(styleNames[:], ", "))
}

// RootError is a request for the graph of a tensor that does not exist.
type RootError struct {
	Name string   // as it was asked for
	Near []string // names that exist and look like it, best first
}

func (e *RootError) Error() string {
	near := make([]string, len(e.Near))
	for i, n := range e.Near {
		near[i] = quoted(n)
	}
	if len(near) == 0 {
		return fmt.Sprintf("no tensor is called %s", quoted(e.Name))
	}
	return fmt.Sprintf("no tensor is called %s; did you mean %s?", quoted(e.Name), strings.Join(near, " or "))
}

// quoted is a name for people: cleaned, cut and in quotes.
func quoted(name string) string { return `"` + label(name, 60) + `"` }
