package graphviz

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
	"github.com/gradtui/gradtui/export/graphviz/internal/engine"
	"github.com/gradtui/gradtui/internal/worker"
)

// hasChildMain is set once ChildMain was called: the program started again
// will call it too.
var hasChildMain atomic.Bool

// ChildMain makes the program able to draw. In a process that this package has
// started, it draws one graph and exits; otherwise it does nothing but note
// that it was called. Call it before anything else in main and TestMain:
// before flags are parsed, files opened, or anything is printed.
func ChildMain() {
	if !boot.IsChild() {
		hasChildMain.Store(true)
		return
	}
	// Ctrl-C in a terminal reaches every process there. What it means for the
	// drawing is the parent's to say.
	signal.Ignore(os.Interrupt)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "graphviz child:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve does one job. The error is about the conversation; a graph that cannot
// be drawn is an answer.
func serve(in io.Reader, out io.Writer) error {
	if _, err := io.WriteString(out, greeting); err != nil {
		return err
	}
	r := bufio.NewReader(in)
	j, dot, err := readJob(r)
	if err != nil {
		return fmt.Errorf("reading the job: %w", err)
	}
	go worker.ExitWithParent(r)
	if err := errors.Join(worker.LimitMemory(j.MaxMemory), worker.LimitProcessorTime(j.MaxProcessorTime)); err != nil {
		return fmt.Errorf("setting limits: %w", err)
	}
	a := answer{w: bufio.NewWriter(out)}
	go a.exitOvertime(worker.ProcessorTime() + j.MaxProcessorTime)
	payload, err := engine.Run(dotlang.Prepared{Text: dot, EmptyLabels: j.EmptyLabels}, j.Format)
	if err != nil {
		return a.fail(describe(err))
	}
	return a.send(statusOK, payload)
}

// answer is what is said once.
type answer struct {
	mu sync.Mutex // held from the beginning of the answer until the process ends
	w  *bufio.Writer
}

func (a *answer) send(status string, payload []byte) error {
	a.mu.Lock()
	if err := writeAnswer(a.w, status, payload); err != nil {
		return err
	}
	return a.w.Flush()
}

func (a *answer) fail(f failure) error {
	payload, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return a.send(statusError, payload)
}

// timeCheck is how often a child looks at how much processor time it has taken.
const timeCheck = 20 * time.Millisecond

// exitOvertime ends the process, with an answer that says so, when it has taken so
// much processor time.
func (a *answer) exitOvertime(limit time.Duration) {
	for range time.Tick(timeCheck) {
		if worker.ProcessorTime() > limit {
			a.fail(failure{Overtime: true})
			os.Exit(0)
		}
	}
}

func describe(err error) failure {
	var syntax *dotlang.SyntaxError
	if errors.As(err, &syntax) {
		return failure{Line: syntax.Line, Message: syntax.Message}
	}
	return failure{Message: err.Error()}
}
