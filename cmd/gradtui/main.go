// Command gradtui debugs computation graphs: it runs a program, records what
// happens to its tensors, shows the graph at any moment and exports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gradtui/gradtui/export/graphviz"
	_ "github.com/gradtui/gradtui/export/graphviz/dormant" // first: it keeps Graphviz from starting with every command
	"github.com/gradtui/gradtui/inspect/script"
)

func main() {
	graphviz.ChildMain()
	script.ChildMain()
	ctx, stop := stoppable(context.Background())
	defer stop()
	os.Exit(execute(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// Exit codes.
const (
	exitOK       = 0
	exitFindings = 1 // what was asked for ran and found something wrong
	exitFailed   = 2 // the program or the request could not be run
	exitStopped  = 130
)

// An exitError ends the command with a code. Its text, if any, was shown
// already.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.err, "gradtui: interrupted")
		return exitStopped
	}
	fmt.Fprintln(s.err, "gradtui:", printable(err.Error()))
	return exitFailed
}
