package target

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// maxCompletedEvents bounds the tapes that are read between two keys.
const maxCompletedEvents = 500_000

// completedTape returns the tape that a command line names, at its end, if it is small enough
// to be read between two keys.
func completedTape(args []string) *graph.Graph {
	if len(args) == 0 {
		return nil
	}
	if t, err := new(Flags).Target(args[0]); err != nil || !t.IsTape {
		return nil
	}
	tape, _, err := readTape(args[0], io.Discard)
	if err != nil || tape.Len() > maxCompletedEvents {
		return nil
	}
	return tape.CursorAt(tape.Len()).Graph()
}

// maxCompleted bounds how many moments and tensors are offered.
const maxCompleted = 200

// CompleteMoments offers moments for --at.
func CompleteMoments(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	list := []string{
		cobra.CompletionWithDesc("end", "after the last event"),
		cobra.CompletionWithDesc("backward:-1", "when the newest backward pass begins"),
		cobra.CompletionWithDesc("backward:-1+end", "when it has ended"),
	}
	if g := completedTape(args); g != nil {
		for pass := range min(g.BackwardCount(), maxCompleted) {
			list = append(list, fmt.Sprintf("backward:%d", pass+1), fmt.Sprintf("backward:%d+end", pass+1))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// CompleteTensors offers a file, and then the names of the tensors on it.
func CompleteTensors(_ *cobra.Command, args []string, begun string) (list []string, _ cobra.ShellCompDirective) {
	if len(args) != 1 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	g := completedTape(args)
	if g == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for b := range g.Bindings() {
		// Shells read completions line by line, and descriptions after a tab.
		if strings.HasPrefix(b.Name, begun) && b.Name == console.OneLine(b.Name) {
			list = append(list, b.Name)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), maxCompleted)], cobra.ShellCompDirectiveNoFileComp
}
