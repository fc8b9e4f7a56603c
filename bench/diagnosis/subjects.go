package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A subject is a program that is checked, with the truth about it.
type subject struct {
	id, program string
	half        string   // learn or aside; "" for cases
	unknown     bool     // there is no truth about it
	group       string   // the row of the table; "" for a correct program
	causes      []string // those that are right; none for a correct program
	lines       []int    // those that are to blame
}

// The halves of the mutants. The wrong answers of the half aside are never shown, so that
// no rule is made after them.
const (
	learn = "learn"
	aside = "aside"
)

// halfOf puts a program, with all its mutants, into a half: a stable hash of its name
// decides.
func halfOf(program string) string {
	sum := sha256.Sum256([]byte(program))
	if binary.BigEndian.Uint16(sum[:])%2 == 0 {
		return learn
	}
	return aside
}

func (s *subject) correct() bool { return len(s.causes) == 0 }

func (s *subject) rightCause(a answer) bool { return slices.Contains(s.causes, a.Cause) }

// rightLine reports whether one of the first n lines is to blame.
func (s *subject) rightLine(a answer, n int) bool {
	return slices.ContainsFunc(a.Lines[:min(n, len(a.Lines))], func(line int) bool { return slices.Contains(s.lines, line) })
}

func (s *subject) right(a answer) bool {
	if s.correct() {
		return a.Cause == ""
	}
	return s.rightCause(a) && s.rightLine(a, 3)
}

// A truth says what is wrong with a case.
type truth struct {
	Cause    string
	Also     []string `json:"also_accept"`
	Culprits []int    `json:"culprit_lines"`
}

const clean = "clean" // the cause of a correct program in truth.json

// cases returns the programs DIR/NAME/prog.py and DIR/NAME/fixed.py. A folder with the name of a half
// is one.
func cases(dir string) ([]subject, error) {
	programs, err := filepath.Glob(filepath.Join(dir, "*", "prog.py"))
	if err != nil || len(programs) == 0 {
		return nil, fmt.Errorf("%s has no programs NAME/prog.py", dir)
	}
	truths, err := readTruths(dir, programs)
	if err != nil {
		return nil, err
	}
	half := ""
	if base := filepath.Base(dir); base == learn || base == aside {
		half = base
	}
	var subjects []subject
	for _, program := range programs {
		s := subject{id: filepath.Base(filepath.Dir(program)), program: program, half: half}
		t, known := truths[s.id]
		s.unknown = !known
		if known && t.Cause != clean {
			s.group, s.causes, s.lines = t.Cause, append([]string{t.Cause}, t.Also...), t.Culprits
		}
		subjects = append(subjects, s)
		fixed := filepath.Join(filepath.Dir(program), "fixed.py")
		if _, err := os.Stat(fixed); err == nil {
			subjects = append(subjects, subject{id: s.id + " (fixed)", program: fixed, half: half})
		}
	}
	return subjects, nil
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

// mutants returns the mutants that kept.tsv lists, written to a folder by mutate.py, and
// the correct programs that they are made of.
func mutants(bench, folder, half string) ([]subject, error) {
	if !slices.Contains([]string{learn, aside, "both"}, half) {
		return nil, fmt.Errorf("-half is %s, %s or both, not %q", learn, aside, half)
	}
	programs, err := filepath.Glob(filepath.Join(bench, "programs", "*.py"))
	if err != nil || len(programs) == 0 {
		return nil, fmt.Errorf("%s has no programs: run this in the root of the repository", bench)
	}
	var subjects []subject
	add := func(s subject, program string) {
		s.half = halfOf(program)
		if half == "both" || half == s.half {
			subjects = append(subjects, s)
		}
	}
	for _, program := range programs {
		name := filepath.Base(program)
		add(subject{id: name, program: program}, name)
	}
	cmd := exec.Command("python3", filepath.Join(bench, "mutate.py"), "write", filepath.Join(bench, "kept.tsv"), filepath.Join(bench, "programs"), folder)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("mutate.py: %w", err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var m struct {
			ID, Operator, Program string
			Causes                []string
			Lines                 []int
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, err
		}
		s := subject{id: m.ID, program: filepath.Join(folder, m.ID, "prog.py"), group: m.Operator, causes: m.Causes, lines: m.Lines}
		add(s, m.Program)
	}
	return subjects, nil
}
