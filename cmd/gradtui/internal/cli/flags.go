package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/internal/suggest"
)

// NearFlag adds to an error about a flag that does not exist the one that may be meant.
func NearFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if meant := suggest.Word(unknown.GetSpecifiedName(), names); meant != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, meant)
	}
	return err
}

// ExplainFlag adds to an error about a flag where the program's own flags go.
func ExplainFlag(c *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown ") {
		return fmt.Errorf("%w; put the program's own flags after --, for example: -- --epochs 3", NearFlag(c, err))
	}
	return err
}

// readingFormats are the formats of commands that describe a tape.
var readingFormats = []string{"text", "json"}

// CheckFormat checks the --format of such a command.
func CheckFormat(format string) error {
	if slices.Contains(readingFormats, format) {
		return nil
	}
	return fmt.Errorf("--format: %w", suggest.Unknown("format", format, readingFormats))
}

// AddFormat adds the flag --format of such a command.
func AddFormat(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", readingFormats[0], strings.Join(readingFormats, " or "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(readingFormats, cobra.ShellCompDirectiveNoFileComp))
}

// AnyNumber lets TargetArgs take as many targets as there are.
const AnyNumber = math.MaxInt

// TargetArgs checks that an argument says what to work on, and that at most so many arguments
// stand before the --, after which the program's own arguments follow.
func TargetArgs(what string, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		names, _ := SplitArgs(cmd, args)
		if len(names) == 0 {
			return fmt.Errorf("%s: missing argument: %s, for example:\n%s", cmd.CommandPath(), what, cmd.Example)
		}
		if len(names) > most {
			taken, rest := names[:most], names[most:]
			return fmt.Errorf("%[1]s takes one program or tape; put the program's own arguments after --: %[1]s %[3]s -- %[2]s",
				cmd.CommandPath(), Printable(strings.Join(rest, " ")), Printable(strings.Join(taken, " ")))
		}
		return nil
	}
}

// SplitArgs splits arguments at the --.
func SplitArgs(cmd *cobra.Command, args []string) (names, own []string) {
	switch n := cmd.ArgsLenAtDash(); {
	case n < 0:
		return args, nil
	case n == 0: // before the name
		n = min(1, len(args))
		return args[:n], args[n:]
	default:
		return args[:n], args[n:]
	}
}
