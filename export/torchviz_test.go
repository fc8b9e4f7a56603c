package export_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/torchviztest"
)

// A recording is what tools/record/torchviz/record.py made of one program.
type recording struct {
	name      string
	roots     []graph.TensorID
	attrChars *int
	tape      string
	dots      map[string]string // by mode
}

// modes are the ways to call make_dot.
var modes = map[string]export.Options{
	"plain":     {Style: export.Torchviz},
	"saved":     {Style: export.Torchviz, Saved: true},
	"attrs":     {Style: export.Torchviz, Saved: true, Attrs: true},
	"onlyattrs": {Style: export.Torchviz, Attrs: true},
}

func recordings(t *testing.T) []recording {
	t.Helper()
	files, _ := filepath.Glob("testdata/torchviz-2.6/*.txtar")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	var all []recording
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), dots: map[string]string{}}
		for line := range strings.Lines(string(archive.Comment)) {
			words := strings.Fields(line)
			for _, w := range words[1:] {
				n, err := strconv.Atoi(w)
				if err != nil {
					t.Fatal(file, err)
				}
				switch words[0] {
				case "roots":
					r.roots = append(r.roots, graph.TensorID(n))
				case "max_attr_chars":
					r.attrChars = &n
				}
			}
		}
		for _, f := range archive.Files {
			if f.Name == "tape" {
				r.tape = string(f.Data)
				continue
			}
			r.dots[strings.TrimSuffix(f.Name, ".dot")] = string(f.Data)
		}
		all = append(all, r)
	}
	return all
}

// options returns the options of a mode for a recording.
func (r *recording) options(mode string) export.Options {
	opts := modes[mode]
	opts.Roots = r.roots
	if r.attrChars != nil {
		opts.MaxAttrChars = max(*r.attrChars, 1) // 0 would mean the default
	}
	return opts
}

func TestTorchvizStyleIsWhatTorchvizWrites(t *testing.T) {
	for _, r := range recordings(t) {
		g := parse(t, r.tape)
		for mode, want := range r.dots {
			t.Run(r.name+"/"+mode, func(t *testing.T) {
				got, report := write(t, g, export.DOT, r.options(mode))
				if diff := cmp.Diff(want, torchviztest.Renamed(got)); diff != "" {
					t.Error(diff)
				}
				if report.Reduced() {
					t.Error(report)
				}
			})
		}
	}
}

// Names can be given instead of being taken from the tape.
func TestGivenNamesReplaceThoseOfTheTape(t *testing.T) {
	for _, r := range recordings(t) {
		bound := parse(t, r.tape)
		names := map[graph.TensorID]string{}
		for b := range bound.Bindings() {
			names[b.Tensor] = b.Name
		}
		var lines []string
		for line := range strings.Lines(r.tape) {
			if !strings.Contains(line, "name-bound") {
				lines = append(lines, line)
			}
		}
		unbound := parse(t, strings.Join(lines, ""))
		opts := r.options("plain")
		opts.Names = names
		for _, g := range []*graph.Graph{bound, unbound} {
			got, _ := write(t, g, export.DOT, opts)
			if diff := cmp.Diff(r.dots["plain"], torchviztest.Renamed(got)); diff != "" && r.dots["plain"] != "" {
				t.Errorf("%s: %s", r.name, diff)
			}
		}
	}
}

// A difference is an attribute that PyTorch 1.13 calls by another name than 2.6.
type difference struct {
	Node    string            // the class of the node
	Renamed map[string]string // name in 2.6: name in 1.13
	Reason  string
}

func TestTorchvizStyleIsWhatTorchvizWroteForPyTorch113(t *testing.T) {
	data, err := os.ReadFile("testdata/torchviz-1.13/differences.json")
	if err != nil {
		t.Fatal(err)
	}
	var differences []difference
	if err := json.Unmarshal(data, &differences); err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(differences))
	compared := 0
	for _, r := range recordings(t) {
		var tape strings.Builder
		for line := range strings.Lines(r.tape) {
			for i, d := range differences {
				if !strings.Contains(line, fmt.Sprintf(" name=%q ", d.Node)) {
					continue
				}
				for from, to := range d.Renamed {
					old := fmt.Sprintf("(name=%q ", from)
					used[i] = used[i] || strings.Contains(line, old)
					line = strings.ReplaceAll(line, old, fmt.Sprintf("(name=%q ", to))
				}
			}
			tape.WriteString(line)
		}
		g := parse(t, tape.String())
		for mode := range modes {
			want, err := os.ReadFile(filepath.Join("testdata/torchviz-1.13", r.name+"."+mode+".dot"))
			if err != nil {
				continue // there are no recordings of 1.13 for most programs
			}
			compared++
			got, _ := write(t, g, export.DOT, r.options(mode))
			if diff := cmp.Diff(string(want), torchviztest.Renamed(got)); diff != "" {
				t.Errorf("%s.%s: %s", r.name, mode, diff)
			}
		}
	}
	if compared != 18 {
		t.Errorf("%d recordings of PyTorch 1.13 were compared", compared)
	}
	for i, d := range differences {
		if !used[i] {
			t.Errorf("the difference about %s occurs nowhere", d.Node)
		}
	}
}
