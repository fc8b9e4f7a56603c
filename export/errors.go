package export

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
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
		return "nothing to export: the tape is empty; record a program that makes tensors"
	case e.Pos == e.Len:
		return "nothing to export: none of the " + counted(int(e.Len), "event") + " on the tape made a tensor; record a program that makes tensors"
	}
	return fmt.Sprintf("nothing to export: no tensor exists yet at event %s of %s; choose a later one", thousands(int(e.Pos)), thousands(int(e.Len)))
}

// FormatError is a request for a format that does not exist.
type FormatError struct {
	Name string // of the format, or of the file
	File bool   // Name is the name of a file
}

func (e *FormatError) Error() string {
	var names, extensions []string
	for _, f := range Formats() {
		names = append(names, string(f.Format))
		extensions = append(extensions, f.Extension)
	}
	if e.File {
		return fmt.Sprintf("cannot tell the format from the file name %s; it should end in one of %s", quoted(e.Name), strings.Join(extensions, ", "))
	}
	return suggest.Unknown("format", label(e.Name, 60), names).Error()
}

// StyleError is a request for a style that does not exist.
type StyleError struct{ Name string }

func (e *StyleError) Error() string {
	names := make([]string, len(styles))
	for i, info := range styles {
		names[i] = info.name
	}
	return suggest.Unknown("style", label(e.Name, 60), names).Error()
}

// RootError is a request for the graph of a tensor or node that does not exist
// at the graph's position.
type RootError struct {
	Name string   // as it was asked for
	Near []string // names that exist and look like it, best first
}

func (e *RootError) Error() string {
	like := make([]string, len(e.Near))
	for i, n := range e.Near {
		like[i] = quoted(n)
	}
	if len(like) == 0 {
		return fmt.Sprintf("no tensor is called %s here; a root is a name of the program, a tensor such as t12 or a node such as n7", quoted(e.Name))
	}
	return fmt.Sprintf("no tensor is called %s here; did you mean %s?", quoted(e.Name), strings.Join(like, " or "))
}

// quoted is a name for people: cleaned, cut and in quotes.
func quoted(name string) string { return `"` + label(name, 60) + `"` }
