// Command diagnosis measures how often gradtui check names the cause and the line of
// a bug. It checks the programs DIR/NAME/prog.py, writes what was found first as JSON
// lines, one for each program, and prints how many answers are right.
//
//	go run ./bench/diagnosis
//	go run ./bench/diagnosis -o answers.jsonl DIR
//
// DIR/truth.json, or DIR/NAME/truth.json for each program, says what the cause is and
// which lines are to blame. An answer is right if it names the cause, or another
// label that is accepted, and one of the lines among its first three. A program
// without a bug asks for silence, and so does DIR/NAME/fixed.py.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

func main() {
	command := flag.String("gradtui", "", "the command to measure (default: the one of this source tree)")
	out := flag.String("o", "", "write the answers to a `file`, as JSON lines")
	flag.Parse()
	dir := "capture/python/testdata/cases"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(*command, dir, *out); err != nil {
		fmt.Fprintln(os.Stderr, "diagnosis:", err)
		os.Exit(1)
	}
}

// A truth says what is wrong with a program.
type truth struct {
	Cause    string
	Also     []string `json:"also_accept"`
	Culprits []int    `json:"culprit_lines"`
}

// An answer is what was found first.
type answer struct {
	ID    string `json:"id"`
	Cause string `json:"cause,omitempty"`
	Lines []int  `json:"lines,omitempty"`
}

func run(command, dir, out string) error {
	programs, err := filepath.Glob(filepath.Join(dir, "*", "prog.py"))
	if err != nil || len(programs) == 0 {
		return fmt.Errorf("%s has no programs NAME/prog.py", dir)
	}
	if command == "" {
		tmp, err := os.MkdirTemp("", "gradtui-diagnosis-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		if command, err = thiscommand.Build(tmp); err != nil {
			return err
		}
	}
	truths, err := readTruths(dir, programs)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	var s score
	for _, program := range programs {
		id := filepath.Base(filepath.Dir(program))
		a, err := check(command, id, program)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(&lines).Encode(a); err != nil {
			return err
		}
		if t, ok := truths[id]; ok {
			s.add(t, a)
		}
		fixed := filepath.Join(filepath.Dir(program), "fixed.py")
		if _, err := os.Stat(fixed); err == nil {
			a, err := check(command, id+" (fixed)", fixed)
			if err != nil {
				return err
			}
			s.add(truth{Cause: clean}, a)
		}
	}
	if out != "" {
		if err := os.WriteFile(out, lines.Bytes(), 0o644); err != nil {
			return err
		}
	}
	s.print(os.Stdout)
	return nil
}

// readTruths reads one file for all programs, or one for each.
func readTruths(dir string, programs []string) (map[string]truth, error) {
	truths := map[string]truth{}
	if text, err := os.ReadFile(filepath.Join(dir, "truth.json")); err == nil {
		return truths, json.Unmarshal(text, &truths)
	}
	for _, program := range programs {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(program), "truth.json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var t truth
		if err == nil {
			err = json.Unmarshal(text, &t)
		}
		if err != nil {
			return nil, err
		}
		truths[filepath.Base(filepath.Dir(program))] = t
	}
	return truths, nil
}

// check asks the command about a program.
func check(command, id, program string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, command, "check", "--format", "json", program)
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return answer{}, err
	}
	var report struct {
		Findings []struct {
			Code, Severity string
			Primary        struct{ Line int }
			Related        []struct{ Line int }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return answer{}, fmt.Errorf("%s: no report: %w\n%s", program, err, stderr.String())
	}
	for _, f := range report.Findings {
		if f.Severity != "error" && f.Severity != "warning" {
			continue
		}
		a := answer{ID: id, Cause: f.Code, Lines: []int{f.Primary.Line}}
		for _, s := range f.Related {
			a.Lines = append(a.Lines, s.Line)
		}
		return a, nil
	}
	return answer{ID: id}, nil
}

const clean = "clean"

// A score counts answers.
type score struct {
	bugs, spoke, cause, line1, line3, right int
	clean, noise                            int
	wrong                                   []string
}

func (s *score) add(t truth, a answer) {
	if t.Cause == clean {
		s.clean++
		if a.Cause != "" {
			s.noise++
			s.wrong = append(s.wrong, fmt.Sprintf("%s: nothing is wrong, got %s at %v", a.ID, a.Cause, a.Lines))
		}
		return
	}
	accepted := append([]string{t.Cause}, t.Also...)
	among := func(n int) bool {
		return slices.ContainsFunc(a.Lines[:min(n, len(a.Lines))], func(line int) bool { return slices.Contains(t.Culprits, line) })
	}
	s.bugs++
	right := slices.Contains(accepted, a.Cause) && among(3)
	for _, c := range []struct {
		n  *int
		is bool
	}{{&s.spoke, a.Cause != ""}, {&s.cause, a.Cause == t.Cause}, {&s.line1, among(1)}, {&s.line3, among(3)}, {&s.right, right}} {
		if c.is {
			*c.n++
		}
	}
	if !right {
		s.wrong = append(s.wrong, fmt.Sprintf("%s: %s at %v, got %s at %v", a.ID, t.Cause, t.Culprits, a.Cause, a.Lines))
	}
}

func (s *score) print(w io.Writer) {
	for _, text := range s.wrong {
		fmt.Fprintln(w, text)
	}
	fmt.Fprintf(w, "right cause and line   %d of %d bugs\n", s.right, s.bugs)
	fmt.Fprintf(w, "said something         %d\n", s.spoke)
	fmt.Fprintf(w, "very cause             %d\n", s.cause)
	fmt.Fprintf(w, "first line             %d\n", s.line1)
	fmt.Fprintf(w, "among first 3 lines    %d\n", s.line3)
	fmt.Fprintf(w, "false positives        %d of %d correct programs\n", s.noise, s.clean)
}
