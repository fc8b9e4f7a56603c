package autograd

import (
	"fmt"
	"os"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/wire"
)

// The environment says whether gradtui records this program, and where to send
// the tape (docs/internals/wire.md). Nothing else opens a socket. Every call of
// the engine sends its events before it returns, so nothing is lost however the
// program ends.
func init() {
	path := os.Getenv(wire.SocketVariable)
	if path == "" {
		return
	}
	os.Unsetenv(wire.SocketVariable) // for this process only, not for its children
	c, err := wire.Dial(path, wire.Hello{Engine: "builtin", Program: os.Args[0], Args: os.Args[1:], PID: os.Getpid()})
	if err != nil {
		// The program must run anyway.
		fmt.Fprintln(os.Stderr, "gradtui: not recording:", err)
		return
	}
	w := c.Welcome()
	tape := graph.NewTape(graph.Limits{Events: w.MaxEvents, Bytes: w.MaxBytes, Elements: w.Elements, Named: graph.NewAmounts(w.Named)})
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
