package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/suggest"
)

// Options are what a script may do and how much of it.
type Options struct {
	Print io.Writer // receives what the script prints
	// Export writes a picture of a graph; nil: export() is an error. path comes from the
	// script and is not trusted.
	Export func(g *graph.Graph, path string, how Picture) error
	// MaxSteps bounds the computation, Timeout the time; zero stands for the defaults.
	MaxSteps uint64
	Timeout  time.Duration
	// Memory bounds, for RunApart, what the script takes on top of the tape; zero stands for the default.
	Memory int64

	// overdue is called when the script has not ended soon after its time: it is in a builtin function.
	overdue func(*Error)
}

// A Picture says how export() draws.
type Picture struct {
	Root         string // name of a tensor; "": all
	Style        string // "full" or "torchviz"
	Saved, Attrs bool
}

// The defaults of Options.
const (
	DefaultSteps   = 100_000_000
	DefaultTimeout = time.Minute
)

// An Error says why a script ended early.
type Error struct {
	// Failed is true if an assertion did not hold, false if the script itself is wrong.
	Failed bool
	Pos    syntax.Position
	Text   string
	Trace  string // the calls that led there, outermost first; "" if there is only one
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Text) }

// A Result is how a script ended.
type Result struct {
	Err *Error // nil: it ran to its end
	// Expected are the findings that the script said must be there.
	Expected map[int]bool // by index in the report
}

// Run runs a script over the result of a check. name is the script's name in messages.
func Run(ctx context.Context, name string, source []byte, found *inspect.Result, o Options) Result {
	s := newSession(found, o)
	thread := &starlark.Thread{
		Name:  name,
		Print: func(_ *starlark.Thread, text string) { fmt.Fprintln(o.Print, text) },
		Load: func(*starlark.Thread, string) (starlark.StringDict, error) {
			return nil, errors.New("load: a check script is one file")
		},
	}
	steps, timeout := o.MaxSteps, o.Timeout
	if steps == 0 {
		steps = DefaultSteps
	}
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	thread.SetMaxExecutionSteps(steps)
	thread.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(fmt.Sprintf("it did not finish within %d steps", steps)) }
	late := fmt.Sprintf("it did not finish within %s", timeout)
	defer time.AfterFunc(timeout, func() { thread.Cancel(late) }).Stop()
	if o.overdue != nil {
		defer time.AfterFunc(timeout+grace, func() { o.overdue(&Error{Pos: callPosition(thread, name), Text: late}) }).Stop()
	}
	defer context.AfterFunc(ctx, func() { thread.Cancel("interrupted") })()
	return Result{Err: s.execute(thread, name, source), Expected: s.expected}
}

// dialect is Starlark with what people expect of a script: statements at the top
// level, while loops, sets. Recursion stays off.
var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

func (s *session) execute(thread *starlark.Thread, name string, source []byte) (failed *Error) {
	defer func() {
		if p := recover(); p != nil { // a defect of ours or of the interpreter
			failed = &Error{Pos: position(thread, name), Text: fmt.Sprintf("internal error: %v", p)}
		}
	}()
	_, err := starlark.ExecFileOptions(dialect, thread, name, source, s.globals())
	return explain(err, name)
}

func position(thread *starlark.Thread, name string) syntax.Position {
	if thread.CallStackDepth() > 0 {
		return thread.CallFrame(0).Pos
	}
	return syntax.MakePosition(&name, 1, 1)
}

// explain turns an error of Starlark into an Error.
func explain(err error, name string) *Error {
	var syntaxError syntax.Error
	var unresolved resolve.ErrorList
	var evaluation *starlark.EvalError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntaxError):
		return &Error{Pos: syntaxError.Pos, Text: syntaxError.Msg}
	case errors.As(err, &unresolved):
		return &Error{Pos: unresolved[0].Pos, Text: withSuggestion(unresolved[0].Msg)}
	case errors.As(err, &evaluation):
		e := &Error{Text: strings.TrimPrefix(evaluation.Msg, "Starlark computation cancelled: ")}
		var assertion *assertionError
		if errors.As(err, &assertion) {
			e.Failed, e.Text = true, assertion.text
		}
		// The innermost frames may be builtins, which have no place.
		calls := slices.Clone(evaluation.CallStack)
		for len(calls) > 1 && calls.At(0).Pos.Filename() == "<builtin>" {
			calls.Pop()
		}
		e.Pos = calls.At(0).Pos
		if len(calls) > 1 {
			e.Trace = calls.String()
		}
		return e
	}
	return &Error{Pos: syntax.MakePosition(&name, 1, 1), Text: err.Error()}
}

// withSuggestion adds a name to "undefined: tensr".
func withSuggestion(message string) string {
	name, ok := strings.CutPrefix(message, "undefined: ")
	if !ok {
		return message
	}
	var known []string
	for _, b := range builtins {
		known = append(known, b.name)
	}
	known = append(known, "assert")
	return message + suggest.Hint(name, known)
}

// An assertionError says that an assertion of a script does not hold.
type assertionError struct{ text string }

func (e *assertionError) Error() string { return e.text }

func unmet(format string, args ...any) error { return &assertionError{fmt.Sprintf(format, args...)} }
