package autograd

import (
	"fmt"
	"os"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/wire"
)

// The environment says whether the program is a target of gradtui, and where to send
// the tape (docs/internals/wire.md); nothing else opens a socket. Every call of the
// engine ends with its events on the way, so that nothing is lost however the
// program ends.
func init() {
	path := os.Getenv(wire.SocketVariable)
	if path == "" {
		return
	}
	os.Unsetenv(wire.SocketVariable) // it is meant for this process, not its children
	c, err := wire.Dial(path, wire.Hello{Engine: "builtin", Program: os.Args[0], Args: os.Args[1:], PID: os.Getpid()})
	if err != nil {
		// The program must run all the same.
		fmt.Fprintln(os.Stderr, "gradtui: not recording:", err)
		return
	}
	w := c.Welcome()
	tape := graph.NewTape(graph.Limits{Events: w.MaxEvents, Bytes: w.MaxBytes})
	r, stop := Record(tape)
	gate, err := c.Control(tape)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gradtui: the program is recorded but not controlled:", err)
	}
	if gate != nil {
		r.SetGate(gate)
	}
	r.OnIdle(func() {
		if c.Send(tape) != nil {
			stop() // gradtui is gone
		}
	})
}
