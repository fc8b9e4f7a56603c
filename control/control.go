// Package control stops a recorded program and resumes it: step by step, up to a
// breakpoint, or until it is interrupted.
//
// A [Gate] sits where the events are made, in the engine. It looks at each event
// and, when a condition is met, holds the program until a command resumes it. A
// [Session] is the debugger's end. The two talk by [Command] and [Stop], either in
// one process or over the wire (package wire).
package control

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
)

// A Step says how far a program goes on.
type Step string

// The steps. Each ends at a breakpoint at the latest.
const (
	Continue     Step = ""         // up to the next breakpoint
	StepOp       Step = "op"       // the next operator has run
	StepLine     Step = "line"     // something happens on another line
	StepNode     Step = "node"     // the next node of a backward pass is about to run
	StepBackward Step = "backward" // the innermost backward pass is over; outside one: the next begins
	StepModule   Step = "module"   // the innermost module has returned; outside one: the next is entered
	StepEvent    Step = "event"    // the next event has come, but for those that are [graph.Kind.Beside] the run
)

// steps are the rules by which steps end. A recording is stepped by the same rules.
var steps = map[Step]graph.StopRule{
	Continue:     {},
	StepOp:       graph.OpStops,
	StepLine:     graph.LineStops,
	StepNode:     graph.NodeStops,
	StepBackward: graph.BackwardStops,
	StepModule:   graph.ModuleStops,
	StepEvent:    graph.EventStops,
}

// A Command tells a gate what to do. The parts that are set apply in this order.
type Command struct {
	// Breakpoints replaces all breakpoints, if it is not nil.
	Breakpoints *[]Breakpoint `json:"breakpoints,omitempty"`
	// Ask is a question to a stopped program, if it is not nil.
	Ask *Ask `json:"ask,omitempty"`
	// Interrupt stops the program at the next event.
	Interrupt bool `json:"interrupt,omitempty"`
	// Resume lets a stopped program go on for a step, or for several that count as one.
	Resume bool `json:"resume,omitempty"`
	Step   Step `json:"step,omitempty"`
	Times  int  `json:"times,omitempty"` // steps; 0: one
	// Detach ends all control: the program runs freely.
	Detach bool `json:"detach,omitempty"`
}

// Check reports what is wrong with a command.
func (c Command) Check() error {
	if _, ok := steps[c.Step]; !ok {
		return fmt.Errorf("there is no step %q", c.Step)
	}
	if c.Times < 0 {
		return fmt.Errorf("a step cannot be taken %d times", c.Times)
	}
	if c.Ask != nil {
		if err := c.Ask.Check(); err != nil {
			return err
		}
	}
	if c.Breakpoints != nil {
		for _, b := range *c.Breakpoints {
			if err := b.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// A Reason says why a program has stopped.
type Reason string

// The reasons, as they stand on the wire.
const (
	StepEnded     Reason = "step"       // the step is over
	BreakpointHit Reason = "breakpoint" // at Stop.Breakpoint
	Interrupted   Reason = "interrupt"  // by a command
)

// A Stop says that the program waits, and why.
type Stop struct {
	Events     int    `json:"events"` // up to the one that is the reason; more may follow it at once
	Reason     Reason `json:"reason"`
	Breakpoint int    `json:"breakpoint,omitempty"` // its ID
	Thread     uint32 `json:"thread,omitempty"`
	Node       uint32 `json:"node,omitempty"` // of a backward pass, if it is about to run
}
