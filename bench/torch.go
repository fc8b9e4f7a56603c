package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

//go:embed torch_side.py
var torchSide string

// A torchProcess is a Python that measures programs on request.
type torchProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

func findTorch(python string) *torchProcess {
	candidates := []string{"python3", "/usr/bin/python3"}
	if python != "" {
		candidates = []string{python}
	}
	for _, c := range candidates {
		if p := startTorch(c); p != nil {
			return p
		}
	}
	return nil
}

// startTorch starts a Python, which may be given with arguments, and asks for
// its version of torch; nil if it has none.
func startTorch(python string) *torchProcess {
	words := strings.Fields(python)
	if len(words) == 0 {
		return nil
	}
	cmd := exec.Command(words[0], append(words[1:], "-W", "ignore", "-c", torchSide)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	p := &torchProcess{cmd: cmd, in: in, out: bufio.NewReader(out)}
	version, err := p.out.ReadString('\n')
	if err != nil {
		cmd.Wait()
		return nil
	}
	p.version = strings.TrimSpace(version)
	return p
}

// measure asks for the microseconds per op of a program.
func (p *torchProcess) measure(name string, budget time.Duration) float64 {
	fmt.Fprintln(p.in, name, budget.Seconds())
	line, err := p.out.ReadString('\n')
	us, perr := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil || perr != nil {
		fmt.Fprintf(os.Stderr, "bench: PyTorch's side answered %q\n", line)
		os.Exit(1)
	}
	return us
}

func (p *torchProcess) close() {
	p.in.Close()
	p.cmd.Wait()
}
