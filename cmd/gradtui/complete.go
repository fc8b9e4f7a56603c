package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/near"
)

// nearFlag adds to an error about a flag that does not exist the one that may be meant.
func nearFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if meant := near.Word(unknown.GetSpecifiedName(), names); meant != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, meant)
	}
	return err
}

// completeCodes completes the last one of a list of codes of rules.
func completeCodes(_ *cobra.Command, _ []string, begun string) (list []string, _ cobra.ShellCompDirective) {
	given := begun[:strings.LastIndexByte(begun, ',')+1]
	for _, r := range rules.All() {
		if !slices.Contains(strings.Split(given, ","), r.Code) {
			list = append(list, cobra.CompletionWithDesc(given+r.Code, r.Title))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completedTape is the tape that a command line names, as it is at its end, if it is small
// enough to be read between two keys.
func completedTape(args []string) *graph.Graph {
	if len(args) == 0 {
		return nil
	}
	if t, err := new(programFlags).target(args[0]); err != nil || !t.tape {
		return nil
	}
	tape, _, err := readTape(args[0], io.Discard)
	if err != nil || tape.Len() > mostChecked {
		return nil
	}
	return tape.CursorAt(tape.Len()).Graph()
}

// maxCompleted bounds how many moments and tensors are offered.
const maxCompleted = 200

// completeMoments offers moments for --at.
func completeMoments(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
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

// completeTensors offers a file, and then the names of the tensors on it.
func completeTensors(_ *cobra.Command, args []string, begun string) (list []string, _ cobra.ShellCompDirective) {
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
