package graphviz

import (
	"errors"
	"fmt"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
)

// ErrNoChildMain means that the program never called ChildMain, so that
// starting it again would run the whole program instead of a layout.
var ErrNoChildMain = errors.New("graphviz: the program does not call graphviz.ChildMain first thing in main (or TestMain)")

// SyntaxError says where a text stops being DOT.
type SyntaxError struct {
	Line    int // 1-based
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("DOT line %d: %s", e.Line, e.Message)
}

// FormatError is a request for a format that Render does not know.
type FormatError struct{ Format Format }

func (e *FormatError) Error() string {
	return fmt.Sprintf("graphviz: unsupported format %q (have %s)", e.Format, formatNames())
}

// LimitError says which bound of Options a graph exceeds.
type LimitError struct {
	What  string // "processor time", "time", "memory", "input" or "output"
	Limit string // with its unit: 30s, 1 GiB
}

// Busy reports whether the machine, rather than the graph, is at fault: the
// layout did not end in time and was not given the processor time that it may
// take.
func (e *LimitError) Busy() bool { return e.What == wallTime }

const (
	processorTime = "processor time"
	wallTime      = "time"
)

func (e *LimitError) Error() string {
	if e.Busy() {
		return fmt.Sprintf("graphviz: the machine is too busy: a layout did not end within %s", e.Limit)
	}
	return fmt.Sprintf("graphviz: graph is too large to lay out: it needs more than the limit on %s (%s)", e.What, e.Limit)
}

// ChildError says that the process that lays a graph out failed.
type ChildError struct {
	Message string
	// Stderr is the end of what the process wrote to its standard error.
	Stderr string
}

func (e *ChildError) Error() string {
	if e.Stderr == "" {
		return "graphviz: " + e.Message
	}
	return fmt.Sprintf("graphviz: %s\n%s", e.Message, e.Stderr)
}

// publicError turns an error of an inner package into one of this package.
func publicError(err error) error {
	var syntax *dotlang.SyntaxError
	if errors.As(err, &syntax) {
		return &SyntaxError{Line: syntax.Line, Message: syntax.Message}
	}
	return err
}

func timeLimit(what string, d time.Duration) error {
	return &LimitError{What: what, Limit: d.String()}
}

// byteCount writes a number of bytes with a unit that suits it.
func byteCount(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
