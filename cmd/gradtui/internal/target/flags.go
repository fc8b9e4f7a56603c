package target

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
)

// Flags say how a program is run and how much of it is recorded.
type Flags struct {
	events    uint32
	bytes     uint64
	values    Values
	Python    PythonFlags
	Ranks     RankFlags
	flags     *pflag.FlagSet
	AsProgram bool // a file whose name does not say what it is, is a Python program
	// EndAtLimit ends the program when recording stops: nothing more is needed from it.
	EndAtLimit bool
	// AllValues records every element of each tensor, unless --values says otherwise.
	AllValues bool
	MaxHeld   uint64 // bytes of tensors in use at which recording stops; 0: no limit
}

// DefaultTapeBytes are some 25 million events. With the graph that it folds to, a
// tape takes about twice as much memory.
const DefaultTapeBytes = 1 << 30

// AddTo defines the flags of a command.
func (f *Flags) AddTo(c *cobra.Command) {
	f.flags = c.Flags()
	f.flags.Uint32Var(&f.events, "max-events", 0, f.after()+" after this many events (0: no limit)")
	f.flags.Uint64Var(&f.bytes, "max-tape-bytes", DefaultTapeBytes, f.after()+" when the tape takes this much memory (0: no limit)")
	f.flags.Var(&f.values, "values", "elements of each tensor that the tape keeps: full, summary, or a number (default: statistics and the first 8); by name: fc1.weight=full,encoder.*=256")
	f.flags.BoolVar(&f.AsProgram, "program", false, "read a file without an extension as a Python program, not as a tape")
	f.Python.AddTo(c)
}

// forTape refuses flags that apply only to programs.
func (f *Flags) forTape(target string) error {
	if f.flags.Changed("max-events") || f.flags.Changed("max-tape-bytes") {
		return fmt.Errorf("--max-events and --max-tape-bytes apply only to programs; %s is a tape", cli.OneLine(target))
	}
	if f.flags.Changed("values") {
		return fmt.Errorf("--values applies only to programs; %s is a tape, which keeps what was recorded", cli.OneLine(target))
	}
	if f.Python.given(f.flags) {
		return fmt.Errorf("--python and --engine apply only to Python programs; %s is a tape", cli.OneLine(target))
	}
	return nil
}

// Limits bound what is recorded.
func (f *Flags) Limits() graph.Limits {
	values := f.values
	if f.AllValues && !f.flags.Changed("values") {
		values = Values{Others: graph.MostElements}
	}
	return values.Limits(graph.Limits{Events: int(f.events), Bytes: int64(min(f.bytes, math.MaxInt64))})
}
