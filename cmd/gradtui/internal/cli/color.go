package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A ColorFlag says when text has colours.
type ColorFlag struct{ when string }

var colorNames = []string{"auto", "always", "never"}

// AddTo adds the flag to a command.
func (f *ColorFlag) AddTo(c *cobra.Command) {
	c.Flags().StringVar(&f.when, "color", "auto", "`when` to use colours: "+strings.Join(colorNames, ", "))
	c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorNames, cobra.ShellCompDirectiveNoFileComp))
}

// Enabled reports whether text has colours. The environment and the terminal decide only if it
// goes to standard output, which is out.
func (f *ColorFlag) Enabled(out io.Writer, toStdout bool) (bool, error) {
	switch f.when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return toStdout && console.Colored(os.Getenv, IsTerminal(out)), nil
	}
	return false, fmt.Errorf("--color: %w", suggest.Unknown("choice", f.when, colorNames))
}
