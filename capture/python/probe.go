package python

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gradtui/gradtui/python"
)

// An Interpreter is a Python that was asked what it is.
type Interpreter struct {
	// Executable is what the interpreter calls sys.executable: the program that a
	// pyenv shim leads to, and the link in a virtual environment.
	Executable     string
	Prefix         string
	Implementation string // "cpython"
	Version        [3]int
	// Bytecode names the form of the compiled files of this interpreter, such as
	// cpython-312-cb0d0d0a.
	Bytecode string
	// Torch and Numpy are the versions of these packages, empty if they cannot be
	// imported.
	Torch, Numpy string

	wrapper string // what the user has named, if it is another program than Executable
}

// command is the program to run: the one that the user has named, which may be a script that
// sets an environment, or else the interpreter itself, which starts faster than a shim.
func (p *Interpreter) command() string { return cmp.Or(p.wrapper, p.Executable) }

func (p *Interpreter) String() string {
	return fmt.Sprintf("Python %d.%d.%d", p.Version[0], p.Version[1], p.Version[2])
}

// oldest is the first Python whose syntax and behaviour our package is written for.
var oldest = [2]int{3, 9}

// probeTimeout is how long an interpreter may take to say what it is.
const probeTimeout = 20 * time.Second

// probe asks a program what Python it is. The error says why it cannot run our
// package; the interpreter is known nevertheless if it gave an answer.
func probe(ctx context.Context, path string) (*Interpreter, error) {
	ctx, stop := context.WithTimeout(ctx, probeTimeout)
	defer stop()
	cmd := exec.CommandContext(ctx, path, "-c", python.Probe)
	cmd.WaitDelay = time.Second
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it did not answer in %v", probeTimeout)
	case err != nil:
		return nil, failure(err, errors.String())
	}
	// What a sitecustomize prints comes before the answer.
	line := out[bytes.LastIndexByte(bytes.TrimRight(out, "\r\n"), '\n')+1:]
	p := &Interpreter{}
	if json.Unmarshal(line, p) != nil || p.Executable == "" {
		return nil, fmt.Errorf("it does not answer like a Python")
	}
	return p, p.usable()
}

// usable says why our package does not run with an interpreter.
func (p *Interpreter) usable() error {
	switch {
	case p.Implementation != "cpython":
		return fmt.Errorf("it is %s; CPython %d.%d or newer is needed", p.Implementation, oldest[0], oldest[1])
	case p.Version[0] != oldest[0] || p.Version[1] < oldest[1]:
		return fmt.Errorf("it is %s; %d.%d or newer is needed", p, oldest[0], oldest[1])
	}
	return nil
}

// failure is the reason why a program did not run, in one line.
func failure(err error, stderr string) error {
	var run *exec.Error
	if errors.As(err, &run) {
		return run.Err
	}
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	reason := lines[0]
	if strings.HasPrefix(reason, "Traceback") {
		reason = lines[len(lines)-1]
	}
	if reason == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.TrimSpace(reason))
}
