package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// A score counts the answers of one row.
type score struct {
	bugs, cause, line1, line3, right, silent int
	correct, noise                           int
}

func (c *score) add(s subject, a answer) {
	if s.correct() {
		c.correct++
		count(&c.noise, a.Cause != "")
		return
	}
	c.bugs++
	count(&c.cause, s.rightCause(a))
	count(&c.line1, s.rightLine(a, 1))
	count(&c.line3, s.rightLine(a, 3))
	count(&c.right, s.right(a))
	count(&c.silent, a.Cause == "")
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

// printTables prints a table for each half.
func printTables(w io.Writer, subjects []subject, answers []answer) {
	for _, half := range []string{"", learn, aside} {
		rows := map[string]*score{}
		causes := map[string][]string{} // of each row
		var all score
		for i, s := range subjects {
			if s.half != half || s.unknown {
				continue
			}
			all.add(s, answers[i])
			if s.correct() {
				continue
			}
			if rows[s.group] == nil {
				rows[s.group] = &score{}
			}
			rows[s.group].add(s, answers[i])
			causes[s.group] = append(causes[s.group], s.causes...)
		}
		for i, s := range subjects {
			if s.half != half || s.unknown || !s.correct() {
				continue
			}
			for group, row := range rows {
				row.correct++
				count(&row.noise, slices.ContainsFunc(answers[i].causes, func(c string) bool { return slices.Contains(causes[group], c) }))
			}
		}
		if all != (score{}) {
			printTable(w, half, rows, all)
		}
	}
}

func printTable(w io.Writer, half string, rows map[string]*score, all score) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tbugs\tcause\tline@1\tline@3\tright\tsilent\tfalse\n", half)
	line := func(name string, s score) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d of %d\n", name, s.bugs, s.cause, s.line1, s.line3, s.right, s.silent, s.noise, s.correct)
	}
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line(name, *rows[name])
	}
	line("all", all)
	if all.bugs > 0 {
		percent := func(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(all.bugs)) }
		fmt.Fprintf(t, "\t\t%s\t%s\t%s\t%s\t%s\t\n", percent(all.cause), percent(all.line1), percent(all.line3), percent(all.right), percent(all.silent))
	}
	t.Flush()
	fmt.Fprintln(w)
}
