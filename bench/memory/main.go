// Command memory measures what a long tape takes: the largest resident memory and the
// processor time of the commands that read it. The tape is like the tape of a small model
// that is trained for minutes: a program of a few iterations is recorded, and its last
// iteration is repeated until there are enough events.
//
//	go run ./bench/memory -python /usr/bin/python3
//	go run ./bench/memory -events 15000000 -tape long.tape check 'open --plain-ui'
//
// A tape that exists is taken as it is. The debugger goes to the end, back to the
// beginning and to the end again.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

//go:embed program.py
var program string

var commands = []string{"check", "open --plain-ui", "stat", "tape verify", "export", "tape text"}

// typed is what the debugger is asked to do.
const typed = "G\ng\nG\nq\n"

func main() {
	python := flag.String("python", "python3", "the Python that the program is recorded on")
	command := flag.String("gradtui", "", "the command to measure (default: the one of this source tree)")
	path := flag.String("tape", "", "the long tape, which is made if it does not exist and stays")
	events := flag.Int("events", 15_000_000, "how many events it gets")
	flag.Parse()
	if err := run(*python, *command, *path, graph.Pos(*events), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

func run(python, command, path string, events graph.Pos, what []string) error {
	dir, err := os.MkdirTemp("", "memory")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if command == "" {
		if command, err = thiscommand.Build(dir); err != nil {
			return err
		}
	}
	if path == "" {
		path = filepath.Join(dir, "long.tape")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := makeTape(command, python, dir, path, events); err != nil {
			return err
		}
	}
	if len(what) == 0 {
		what = commands
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer out.Flush()
	fmt.Fprintln(out, "command\tresident MB\tprocessor s\t")
	for _, words := range what {
		c := exec.Command(command, append(strings.Fields(words), path)...)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(typed), io.Discard, io.Discard
		var exit *exec.ExitError
		if err := c.Run(); err != nil && !errors.As(err, &exit) {
			return err
		}
		state := c.ProcessState
		resident := state.SysUsage().(*syscall.Rusage).Maxrss >> 10
		fmt.Fprintf(out, "%s\t%d\t%.1f\t\n", words, resident, (state.UserTime() + state.SystemTime()).Seconds())
	}
	return nil
}

// makeTape records the program and repeats its last iteration.
func makeTape(command, python, dir, path string, events graph.Pos) error {
	file, short := filepath.Join(dir, "program.py"), filepath.Join(dir, "short.tape")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		return err
	}
	var said bytes.Buffer
	c := exec.Command(command, "record", "--python", python, file, "-o", short)
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return fmt.Errorf("%w\n%s", err, &said)
	}
	tape, _, err := tapefile.Open(short, tapefile.Options{})
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := repeat(tape, events, path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "made a tape of %d MB in %.0f s\n", info.Size()/1_000_000, time.Since(begun).Seconds())
	return nil
}
