//go:build unix

package python

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// TestWhatAProgramCanNoticeIsListed compares what a program sees with and without gradtui:
// the table in docs/use/noticeable.md has a row for all that it looks at, and says where there is
// a difference on PyTorch and on the built-in engine.
func TestWhatAProgramCanNoticeIsListed(t *testing.T) {
	table := noticeable(t)
	probe, err := filepath.Abs("testdata/notice/probe.py")
	if err != nil {
		t.Fatal(err)
	}
	compare := func(t *testing.T, python string, engine Engine, column int, args ...string) {
		alone := exec.Command(python, append([]string{probe}, args...)...)
		alone.Stderr = t.Output()
		plain, err := alone.Output()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := Program{Path: probe, Args: args, Python: python, Engine: engine, Stdout: &out, Stderr: t.Output()}
		if _, err := p.Run(t.Context(), graph.NewTape(graph.Limits{})); err != nil {
			t.Fatal(err)
		}
		want, got := seen(string(plain)), seen(out.String())
		for name, without := range want {
			columns, ok := table[name]
			if !ok {
				t.Errorf("%s: the table has no such row", name)
				continue
			}
			said := columns[column]
			switch with := got[name]; {
			case without != with && said == "same":
				t.Errorf("%s: the table says that it is the same (-without +with):\n%s", name, cmp.Diff(without, with))
			case without == with && said == "differs":
				t.Errorf("%s: the table says that it differs", name)
			}
		}
	}
	t.Run("builtin", func(t *testing.T) { compare(t, anyPython(t).command(), Builtin, 1) })
	for _, on := range torches() {
		if on.engine == PyTorch {
			t.Run(on.name, func(t *testing.T) {
				on.require(t)
				compare(t, on.python, PyTorch, 0, "torch")
			})
		}
	}
}

// seen are the lines of the probe, by the names of their rows.
func seen(text string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		rows[name] = value
	}
	return rows
}

// noticeable is the table in the documentation: what it says of PyTorch and of the built-in
// engine, by row. A cell begins with "same", "differs" or "may differ".
func noticeable(t *testing.T) map[string][]string {
	text, err := os.ReadFile("../../docs/use/noticeable.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || strings.Contains(cells[0], "---") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if columns := cells[1:3]; !slices.Contains(columns, "PyTorch") {
			table[strings.ReplaceAll(cells[0], "`", "")] = columns
		}
	}
	return table
}
