// Package examples lists the programs that gradtui brings along. Each is a small
// Go program of its own kind; `gradtui demo NAME` runs it inside gradtui, and
// `go run ./examples/run NAME` without.
package examples

import (
	"embed"
	"io"
	"path"

	"github.com/gradtui/gradtui/examples/custom"
	"github.com/gradtui/gradtui/examples/inplace"
	"github.com/gradtui/gradtui/examples/lesson"
	"github.com/gradtui/gradtui/examples/localrule"
	"github.com/gradtui/gradtui/examples/nbody"
	"github.com/gradtui/gradtui/examples/secondbackward"
)

// An Example is a program.
type Example struct {
	Name  string
	About string
	// Look is what to look at in the recording.
	Look string
	// Fails says that the program ends with an error, which is its point.
	Fails bool
	Run   func(out io.Writer) error
}

// All are the examples, from simple to involved.
var All = []Example{
	{
		Name: "lesson", About: "gradients of scalars and vectors, .grad, retain_grad, gradient descent",
		Look: "how p.grad grows when backward runs twice, and which nodes ran", Run: lesson.Run,
	},
	{
		Name: "inplace", About: "a saved tensor is modified in place before backward needs it", Fails: true,
		Look: "the saved slot of the node that fails: saved at version 1, now at version 2", Run: inplace.Run,
	},
	{
		Name: "second-backward", About: "two losses share a graph that the first backward frees", Fails: true,
		Look: "the nodes whose saved tensors were freed, and by which backward", Run: secondbackward.Run,
	},
	{
		Name: "nbody", About: "particles attract each other; masses and starting velocities are trained",
		Look: "the graph of one loss: one block for each time step", Run: nbody.Run,
	},
	{
		Name: "local-rule", About: "a network that passes messages along its edges computes the gradients of autograd",
		Look: "signals that go forward and errors that come back over the same edges", Run: localrule.Run,
	},
	{
		Name: "custom", About: "a function with its own derivatives, broadcasting, gradients kept apart",
		Look: "the contributions to a.grad, one for each place where a was used", Run: custom.Run,
	},
}

// Find returns the example with a name.
func Find(name string) (Example, bool) {
	for _, e := range All {
		if e.Name == name {
			return e, true
		}
	}
	return Example{}, false
}

//go:embed */*.go
var sources embed.FS

// Source returns the text of an example's source file, whatever directory the
// program was built in.
func Source(file string) ([]byte, error) {
	dir, base := path.Split(file)
	return sources.ReadFile(path.Join(path.Base(dir), base))
}
