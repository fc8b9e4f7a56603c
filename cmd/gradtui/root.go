package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/internal/console"
)

// streams are where the command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func newRoot(s streams) *cobra.Command {
	said := newVoice(s.err)
	s.err = said
	root := &cobra.Command{
		Use:   "gradtui",
		Short: "A debugger for computation graphs",
		Long: `gradtui records what happens to the tensors of a program: every operation, every
in-place change, every step of backward(). It says which line is wrong, shows the
graph at any moment, and steps through backward, forwards and backwards in time.

A PROGRAM is a Python program written for PyTorch (train.py), which need not be
installed, or a Go package that imports github.com/gradtui/gradtui/autograd
(./train). A TAPE is a file that gradtui record wrote.`,
		Example: `  gradtui run train.py                 debug a program in the terminal
  gradtui check train.py               say what is wrong with it, as CI would
  gradtui demo                         programs that need nothing
  gradtui record train.py -o run.tape  record a program
  gradtui open run.tape                debug what was recorded
  gradtui export run.tape -o loss.svg  draw its graph`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	said.add(root)
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(nearFlag)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(demoCommand(s), runCommand(s), openCommand(s), attachCommand(s), recordCommand(s), checkCommand(s), exportCommand(s), explainCommand(s), statCommand(s), diffCommand(s), ranksCommand(s), tapeCommand(s), doctorCommand(s), versionCommand(s), licensesCommand(s), manCommand(s), receiveCommand(s))
	return root
}

// helpCommand is cobra's, but that a command that does not exist is an error.
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

// printable makes text from programs and files safe for the terminal.
func printable(s string) string { return console.Printable(s) }

// oneLine makes a name, which may hold line ends, a part of a line.
func oneLine(s string) string { return console.OneLine(s) }
