package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/internal/testing/jobs"
)

// A trial is what gradtui fix says about the first finding of a program.
type trial struct {
	answer
	verdict string // none, proven, suggestion
	gone    bool
	breaks  bool // with the edit, the program ends with an exception that it did not end with before
	added   []string
}

// fixAll tries the fix of the first finding of each program with a bug, if the finding is right, and prints a
// table with a row for each cause:
//
//	right   right findings
//	edit    of these, how many carry an edit
//	proven  of these, how many make the finding go away, with no new finding and no new exception
//	gone    how many make the finding go away
//	breaks  how many end the program with another exception than before
func (c *checker) fixAll(w io.Writer, subjects []subject, verbose bool) error {
	subjects = slices.DeleteFunc(slices.Clone(subjects), func(s subject) bool { return s.unknown || s.correct() })
	trials := make([]trial, len(subjects))
	jobs.Each(len(subjects), c.jobs, func(i int) {
		t, err := c.fix(subjects[i])
		if err != nil && subjects[i].half != aside {
			fmt.Fprintln(os.Stderr, "diagnosis:", err)
		}
		trials[i] = t
	})
	type row struct{ right, edit, proven, gone, breaks int }
	rows := map[string]*row{}
	all := &row{}
	for i, t := range trials {
		s := subjects[i]
		if !s.right(t.answer) {
			continue
		}
		if rows[t.Cause] == nil {
			rows[t.Cause] = &row{}
		}
		for _, r := range []*row{rows[t.Cause], all} {
			r.right++
			count(&r.edit, t.verdict != "none")
			count(&r.proven, t.verdict == "proven")
			count(&r.gone, t.gone)
			count(&r.breaks, t.breaks)
		}
		if verbose && s.half != aside && t.verdict == "suggestion" {
			fmt.Fprintf(w, "%s: %s at %v: gone %t, breaks %t, new %v\n", s.id, t.Cause, t.Lines[:1], t.gone, t.breaks, t.added)
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\tright\tedit\tproven\tgone\tbreaks\n")
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range append(names, "all") {
		r := rows[name]
		if name == "all" {
			r = all
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\n", name, r.right, r.edit, r.proven, r.gone, r.breaks)
	}
	return table.Flush()
}

// fix checks a program and tries the fix of its first finding.
func (c *checker) fix(s subject) (trial, error) {
	a, err := c.check(s)
	if err != nil || !s.right(a) {
		return trial{answer: a}, err
	}
	t := trial{answer: a, verdict: "none"}
	type end struct{ Exception string }
	var report struct {
		Fixes []struct {
			Verdict       string
			Gone          bool
			New           []struct{ Code string }
			Before, After end
		}
	}
	if err := c.ask(s, &report, "fix", "--only", a.Cause+":"+strconv.Itoa(a.Lines[0])); err != nil {
		return t, err
	}
	if len(report.Fixes) == 0 {
		return t, fmt.Errorf("%s: the report has no fixes", s.program)
	}
	f := report.Fixes[0]
	t.verdict, t.gone = f.Verdict, f.Gone
	t.breaks = f.After.Exception != "" && f.After.Exception != f.Before.Exception
	for _, n := range f.New {
		t.added = append(t.added, n.Code)
	}
	return t, nil
}

// ruleCases writes the programs with a bug of the rules' tests to a folder.
func ruleCases(dir, folder string) (subjects []subject, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no programs: run this in the root of the repository", dir)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		id := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
		s := subject{id: id}
		for _, f := range archive.Files {
			if f.Name == "want" {
				for i, word := range strings.Fields(string(f.Data)) {
					if n, err := strconv.Atoi(word); err == nil {
						s.lines = append(s.lines, n)
					} else if i == 0 {
						s.group, s.causes = word, []string{word}
					}
				}
				continue
			}
			name := filepath.Join(folder, filepath.FromSlash(id), filepath.FromSlash(f.Name))
			if s.program == "" {
				s.program = name
			}
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return nil, err
			}
			if err := os.WriteFile(name, f.Data, 0o600); err != nil {
				return nil, err
			}
		}
		if filepath.Ext(s.program) == ".py" {
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}
