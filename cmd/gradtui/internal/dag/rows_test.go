package dag_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
)

var update = flag.Bool("update", false, "write the pictures in testdata")

// pictures are what a file of testdata can ask for, by the first word of a section's
// name; the other words are arguments.
var pictures = map[string]func(t *testing.T, s *sketch, args []string) string{
	// rows ROOT...: the view as it is at first
	"rows": func(t *testing.T, s *sketch, args []string) string {
		return s.rows(t, dag.NewView(s.dag(args...)))
	},
	// level N ROOT...: folded from a level on
	"level": func(t *testing.T, s *sketch, args []string) string {
		level, err := strconv.Atoi(args[0])
		if err != nil {
			t.Fatal(err)
		}
		v := dag.NewView(s.dag(args[1:]...))
		v.FoldAll(level)
		return s.rows(t, v)
	},
	// drawing ROOT...: the layered drawing, folded from level 0
	"drawing": func(t *testing.T, s *sketch, args []string) string { return arranged(t, s, true, args) },
	// tree NODE ROOT...: what a node leads to
	"tree": func(t *testing.T, s *sketch, args []string) string { return listed(t, s, false, args) },
	// back NODE ROOT...: what leads to a node
	"back":    func(t *testing.T, s *sketch, args []string) string { return listed(t, s, true, args) },
	"compact": func(t *testing.T, s *sketch, args []string) string { return arranged(t, s, false, args) },
}

func arranged(t *testing.T, s *sketch, frame bool, roots []string) string {
	v := dag.NewView(s.dag(roots...))
	v.FoldAll(0)
	d, err := dag.Arrange(v, v.All(), frame, func(row int) int { return utf8.RuneCountInString(s.label(v, row)) + 2 })
	if err != nil {
		t.Fatal(err)
	}
	return s.drawing(v, d)
}

func listed(t *testing.T, s *sketch, back bool, args []string) string {
	v := dag.NewView(s.dag(args[1:]...))
	row, ok := v.RowOf(s.ids[args[0]])
	if !ok {
		t.Fatal(args[0] + " is not in the graph")
	}
	tree := dag.NewTree(v, row, back)
	tree.Open(40)
	return s.tree(v, tree)
}

// TestPicturesEqualTestdata draws the graphs of testdata, which are in the
// comment of each file.
func TestPicturesEqualTestdata(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := newSketch().lines(string(a.Comment))
			for i := range a.Files {
				f := &a.Files[i]
				words := strings.Fields(f.Name)
				got := pictures[words[0]](t, s, words[1:])
				if *update {
					f.Data = []byte(got)
				} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
					t.Errorf("%s (-update rewrites it):\n%s\n%s", f.Name, got, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Every combination of sides has a character of its own, and in ASCII one that is
// blank where it is; a line beneath a bridge is not seen.
func TestEveryCombinationOfSidesHasACharacter(t *testing.T) {
	seen := map[rune]bool{}
	for d := range dag.Bridge {
		if seen[d.Box()] || utf8.RuneLen(d.Box()) == 1 != (d == 0) {
			t.Errorf("%04b is %c", d, d.Box())
		}
		seen[d.Box()] = true
		if d.ASCII() > '~' || (d.ASCII() == ' ') != (d == 0) {
			t.Errorf("%04b is %c in ASCII", d, d.ASCII())
		}
	}
	crossing := dag.North | dag.East | dag.South | dag.West
	if crossing.Box() != '┼' || (crossing|dag.Bridge).Box() != '│' || (crossing|dag.Bridge).ASCII() != '|' {
		t.Error("a bridge looks like a crossing")
	}
}
