// Command diagnosis measures how often gradtui check names the cause and the line of
// a bug, on programs that have one, and how often it finds something in programs that
// have none.
//
//	go run ./bench/diagnosis                       # the cases of the repository
//	go run ./bench/diagnosis -o answers.jsonl DIR  # programs DIR/NAME/prog.py
//	go run ./bench/diagnosis -mutants -jobs 4      # mutants of correct programs
//	go run ./bench/diagnosis -rules -fixes         # the fixes of findings, of the rules' own programs
//
// The measure prints a table, with a row for each cause or mutation operator:
//
//	bugs    how many programs have the bug
//	cause   how often the first finding names an accepted cause
//	line@1  how often its first line is to blame
//	line@3  how often one of its first three lines is
//	right   cause and line@3
//	silent  how often there is no finding
//	false   correct programs with a finding: of any cause in the last row, of an
//	        accepted one in the others
//
// Only errors and warnings count. README.md says where the programs come from.
//
// The truth about cases is in DIR/truth.json, or in DIR/NAME/truth.json for each
// program; DIR/NAME/fixed.py and programs with the cause "clean" are correct. A program
// that it does not name is checked, but not counted.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

func main() {
	var c checker
	flag.StringVar(&c.command, "gradtui", "", "the command to measure (default: the one of this source tree)")
	flag.StringVar(&c.engine, "engine", "builtin", "the engine: builtin, torch or auto")
	flag.StringVar(&c.python, "python", "", "the Python of the programs (default: the one that gradtui chooses)")
	flag.IntVar(&c.jobs, "jobs", 2, "how many programs are checked at the same time")
	out := flag.String("o", "", "write the answers to a `file`, as JSON lines, without the half that is set aside")
	mutated := flag.Bool("mutants", false, "measure mutants of bench/diagnosis/programs")
	half := flag.String("half", "both", "which mutants: learn, aside or both")
	every := flag.Int("every", 1, "take one of this `number` of programs")
	fixes := flag.Bool("fixes", false, "measure what the fixes of right findings do")
	flag.BoolVar(&ofRules, "rules", false, "take the programs of inspect/rules/testdata")
	verbose := flag.Bool("v", false, "list the wrong answers of the half for work")
	flag.Parse()
	dir := "capture/python/testdata/cases"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(&c, *mutated, dir, *half, *every, *out, *verbose, *fixes); err != nil {
		fmt.Fprintln(os.Stderr, "diagnosis:", err)
		os.Exit(1)
	}
}

// ofRules says that the programs of the rules' tests are measured.
var ofRules bool

func run(c *checker, mutated bool, dir, half string, every int, out string, verbose, fixes bool) error {
	tmp, err := os.MkdirTemp("", "gradtui-diagnosis-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var subjects []subject
	switch {
	case ofRules:
		subjects, err = ruleCases("inspect/rules/testdata", tmp)
	case mutated:
		subjects, err = mutants("bench/diagnosis", tmp, half)
	default:
		subjects, err = cases(dir)
	}
	if err != nil {
		return err
	}
	subjects = sample(subjects, every)
	if c.command == "" {
		if c.command, err = thiscommand.Build(tmp); err != nil {
			return err
		}
	}
	if fixes {
		return c.fixAll(os.Stdout, subjects, verbose)
	}
	answers := c.checkAll(subjects)
	if out != "" {
		if err := writeAnswers(out, subjects, answers); err != nil {
			return err
		}
	}
	printTables(os.Stdout, subjects, answers)
	if verbose {
		printWrong(os.Stdout, subjects, answers)
	}
	return nil
}

// sample takes one of n subjects, in their order.
func sample(subjects []subject, n int) []subject {
	var some []subject
	for i, s := range subjects {
		if i%max(1, n) == 0 {
			some = append(some, s)
		}
	}
	return some
}

func writeAnswers(path string, subjects []subject, answers []answer) error {
	var lines bytes.Buffer
	for i, a := range answers {
		if subjects[i].half == aside {
			continue
		}
		if err := json.NewEncoder(&lines).Encode(a); err != nil {
			return err
		}
	}
	return os.WriteFile(path, lines.Bytes(), 0o644)
}

// printWrong lists the answers that are not right.
func printWrong(w io.Writer, subjects []subject, answers []answer) {
	for i, s := range subjects {
		a := answers[i]
		switch {
		case s.half == aside || s.unknown || s.right(a):
		case s.correct():
			fmt.Fprintf(w, "%s: nothing is wrong, got %s at %v\n", s.id, a.Cause, a.Lines)
		case a.Cause == "":
			fmt.Fprintf(w, "%s: %v at %v, got nothing\n", s.id, s.causes, s.lines)
		default:
			fmt.Fprintf(w, "%s: %v at %v, got %s at %v\n", s.id, s.causes, s.lines, a.Cause, a.Lines)
		}
	}
}
