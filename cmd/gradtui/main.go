// Command gradtui debugs computation graphs: it runs a program, records what
// happens to its tensors, shows the graph at any moment and exports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/export/graphviz"
	_ "github.com/gradtui/gradtui/export/graphviz/dormant" // first: it keeps Graphviz from starting with every command
	"github.com/gradtui/gradtui/inspect/script"
)

func main() {
	graphviz.ChildMain()
	script.ChildMain()
	ctx, stop := cli.WithSignals(context.Background())
	defer stop()
	os.Exit(execute(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, s cli.Streams) int {
	root := newRoot(s)
	root.SetArgs(withCommand(root, args))
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	var exit cli.ExitError
	switch {
	case err == nil:
		return cli.ExitOK
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "gradtui: interrupted")
		return cli.ExitStopped
	}
	fmt.Fprintln(s.Err, "gradtui:", cli.Printable(err.Error()))
	return cli.ExitFailed
}
