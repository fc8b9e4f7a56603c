package graphviz

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
	"github.com/gradtui/gradtui/export/graphviz/internal/engine"
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
	go exitWithParent(r)
	if err := limitSelf(j); err != nil {
		return fmt.Errorf("setting limits: %w", err)
	}
	w := bufio.NewWriter(out)
	payload, err := engine.Run(dotlang.Prepared{Text: dot, EmptyLabels: j.EmptyLabels}, j.Format)
	status := statusOK
	if err != nil {
		status = statusError
		if payload, err = json.Marshal(describe(err)); err != nil {
			return err
		}
	}
	if err := writeAnswer(w, status, payload); err != nil {
		return err
	}
	return w.Flush()
}

// exitWithParent ends the process when its input does: the parent holds the
// other end open for as long as it wants the answer.
func exitWithParent(in io.Reader) {
	io.Copy(io.Discard, in)
	os.Exit(1)
}

func describe(err error) failure {
	var syntax *dotlang.SyntaxError
	if errors.As(err, &syntax) {
		return failure{Line: syntax.Line, Message: syntax.Message}
	}
	return failure{Message: err.Error()}
}
