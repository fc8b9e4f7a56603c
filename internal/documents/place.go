package documents

import "github.com/gradtui/gradtui/graph"

// Place is a line of the program; left out if it is not known.
type Place struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`     // counts from 1
	Function string `json:"function,omitempty"` // the function around it
}

// PlaceOf returns the place of a frame.
func PlaceOf(f graph.Frame) Place { return Place{f.File, f.Line, f.Func} }
