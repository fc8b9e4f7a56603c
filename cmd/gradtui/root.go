package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
)

// subcommands are all commands, each in a file of its own.
var subcommands = []func(cli.Streams) *cobra.Command{
	attachCommand,
	checkCommand,
	demoCommand,
	diffCommand,
	doctorCommand,
	explainCommand,
	auditCommand,
	exportCommand,
	fixCommand,
	forkCommand,
	licensesCommand,
	manCommand,
	openCommand,
	ranksCommand,
	receiveCommand, // hidden: for the Python package
	recordCommand,
	runCommand,
	statCommand,
	tapeCommand,
	versionCommand,
}

func newRoot(s cli.Streams) *cobra.Command {
	said := cli.NewMessages(s.Err)
	s.Err = said
	root := &cobra.Command{
		Use:   "gradtui",
		Short: "A debugger for computation graphs",
		Long: `gradtui records what happens to the tensors of a program: every operation, every
in-place change, every step of backward(). It says which line is wrong, shows the
graph at any moment, and steps through backward, forwards and backwards in time.

A PROGRAM is a Python program written for PyTorch (train.py), with or without PyTorch
installed, or a Go package that imports github.com/gradtui/gradtui/autograd (./train).
A TAPE is a file written by gradtui record.`,
		Example: `  gradtui train.py                     run up to the first finding or error, and show it
  gradtui run train.py                 debug a program in the terminal
  gradtui check train.py               say what is wrong with it, as CI would
  gradtui demo                         programs that need nothing
  gradtui record train.py -o run.tape  record a program
  gradtui open run.tape                debug what was recorded
  gradtui export run.tape -o loss.svg  draw its graph`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       cli.Version(),
	}
	said.AddFlags(root)
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(cli.NearFlag)
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, command := range subcommands {
		root.AddCommand(command(s))
	}
	return root
}

// withCommand returns arguments that begin with a command: of a program or a tape alone, the one that
// debugs it. The name of a command is never a file.
func withCommand(root *cobra.Command, args []string) []string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return args
	}
	if c, _, err := root.Find(args[:1]); err == nil && c != root {
		return args
	}
	var flags target.Flags
	switch t, err := flags.Target(args[0]); {
	case err != nil:
		return args
	case t.IsTape:
		return append([]string{"open"}, args...)
	}
	return append([]string{"run", "--ahead"}, args...)
}

// helpCommand is cobra's, except that an unknown command is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			switch {
			case err != nil:
				return err
			case len(rest) > 0:
				return fmt.Errorf("unknown command %q for %q", rest[0], c.CommandPath())
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}
