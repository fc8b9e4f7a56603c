package documents

import (
	"encoding/json"

	"github.com/gradtui/gradtui/graph"
)

// Stat is the document of gradtui stat.
type Stat struct {
	Format     string      `json:"format"`               // always "gradtui-stat"
	Version    int         `json:"version"`              // of this schema: 1
	Program    string      `json:"program,omitempty"`    // the program's file or package
	Engine     string      `json:"engine,omitempty"`     // "builtin"
	Stopped    string      `json:"stopped,omitempty"`    // why the recording ended before the program
	Total      Line        `json:"total"`                // of the whole program
	Peak       *Peak       `json:"peak,omitempty"`       // when most bytes were in use
	Devices    []Device    `json:"devices,omitempty"`    // left out: all memory was on one device
	Growth     *Growth     `json:"growth,omitempty"`     // left out: what is in use does not grow steadily
	Lines      []Line      `json:"lines"`                // those that keep most first
	Iterations []Iteration `json:"iterations"`           // the turns of the main loop
	Against    []Pair      `json:"against,omitempty"`    // with --against: the lines of both runs
	Parameters []Parameter `json:"parameters,omitempty"` // with --parameters: those that optimizers have updated, in the order of their first steps
}

// Parameter is how optimizers changed a parameter.
type Parameter struct {
	Tensor graph.TensorID  `json:"tensor"`         // on the tape
	Name   string          `json:"name,omitempty"` // left out: it has none
	Shape  []int           `json:"shape"`          // size of each dimension
	Steps  []ParameterStep `json:"steps"`          // of optimizers
}

// ParameterStep is what a step of an optimizer did to a parameter.
type ParameterStep struct {
	Event    graph.Pos       `json:"event"`              // position on the tape
	Norm     json.RawMessage `json:"norm,omitempty"`     // of the parameter after the step: a number or "inf"; left out: not on the tape
	Gradient json.RawMessage `json:"gradient,omitempty"` // the norm of the gradient that the step used: a number or "inf"; left out: not on the tape
	Update   json.RawMessage `json:"update,omitempty"`   // the norm of the change by the norm before: a number or "inf"; left out: not on the tape, --values full records it
}

// Line is what a line did.
type Line struct {
	Place
	Events  int     `json:"events"`     // on the tape
	Ops     int     `json:"ops"`        // operations that ran
	Nodes   int     `json:"nodes"`      // nodes of the backward graph that it made
	Seconds float64 `json:"seconds"`    // until the events of other lines
	Made    int64   `json:"made_bytes"` // of the storages that it made
	End     Use     `json:"end"`        // what of that is in use in the end
	Peak    Use     `json:"peak"`       // what of that was in use at the peak of the program
}

// Use is memory in use.
type Use struct {
	Nodes int   `json:"nodes"`       // that are alive
	Bytes int64 `json:"bytes"`       // of storages that are alive
	Graph int64 `json:"graph_bytes"` // of those that only the graph keeps alive
}

// Peak is the moment when most bytes were in use.
type Peak struct {
	Use
	Place
	Event     graph.Pos `json:"event"`               // position on the tape
	Iteration int       `json:"iteration,omitempty"` // the number of the iteration
}

// Device is memory in use on one device.
type Device struct {
	Device string    `json:"device"` // "cpu", "cuda:0"
	End    DeviceUse `json:"end"`    // what is in use in the end
	Peak   DeviceUse `json:"peak"`   // what was in use at the peak of the program
}

// DeviceUse is memory in use on a device.
type DeviceUse struct {
	Bytes int64 `json:"bytes"`       // of storages that are alive
	Graph int64 `json:"graph_bytes"` // of those that only the graph keeps alive
}

// Growth is what is in use more after each iteration.
type Growth struct {
	Rate
	From  int          `json:"from"`  // the first iteration that was compared
	To    int          `json:"to"`    // the last one
	Lines []GrowthLine `json:"lines"` // that made what stays, fastest first
}

// GrowthLine is a line whose results stay in use.
type GrowthLine struct {
	Place
	Rate
}

// Rate is what one iteration adds on average.
type Rate struct {
	Nodes float64 `json:"nodes"` // 0: not steadily
	Bytes float64 `json:"bytes"` // 0: not steadily
}

// Iteration is one turn of the main loop.
type Iteration struct {
	Number  int       `json:"number"`     // counts from 1
	From    graph.Pos `json:"from"`       // its first event
	To      graph.Pos `json:"to"`         // the event after its last one
	Ops     int       `json:"ops"`        // operations that ran
	Nodes   int       `json:"nodes"`      // that were made
	Seconds float64   `json:"seconds"`    // that it took
	Made    int64     `json:"made_bytes"` // of tensors that were made
	After   Use       `json:"after"`      // what was in use when it had ended
}

// Pair is a line in two runs.
type Pair struct {
	Place
	A Line `json:"a"` // in the run that stat is about
	B Line `json:"b"` // in the other one
}
