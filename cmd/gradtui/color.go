package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/near"
)

// A colorFlag says when text has colours.
type colorFlag struct{ when string }

var colorNames = []string{"auto", "always", "never"}

func (f *colorFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.when, "color", "auto", "`when` text has colours: "+strings.Join(colorNames, ", "))
	c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorNames, cobra.ShellCompDirectiveNoFileComp))
}

// in reports whether text has colours. Only where it goes to standard output, which is out,
// the environment and the terminal decide.
func (f *colorFlag) in(out io.Writer, toStdout bool) (bool, error) {
	switch f.when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return toStdout && console.Colored(os.Getenv, isTerminal(out)), nil
	}
	return false, fmt.Errorf("--color: %w", near.Unknown("choice", f.when, colorNames))
}
