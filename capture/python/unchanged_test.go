package python_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A change is what recording a program on PyTorch is known to change of it.
type change struct {
	Program  string   // "basics/views"
	Releases []string // of PyTorch; empty for all
	What     []string // "stdout", "stderr", "state", …
	Why      string
}

// A comparison is what testdata/unchanged.py says of a program.
type comparison struct {
	Program string
	Records int
	Differs map[string]map[string]string // way to record it, what, difference
	Skipped string
}

// TestRecordedProgramsAreUnchanged runs programs on PyTorch with and without recording and
// compares, byte by byte and bit by bit. What cannot be the same is in changes.json, with
// the reason; an entry that is not needed any more fails the test.
//
// Without PyTorch it is skipped, unless GRADTUI_REQUIRE lists torch or torch-2.6. The
// release in GRADTUI_PYTHON_CURRENT, a Python, is taken, too (scripts/torch-current.sh).
func TestRecordedProgramsAreUnchanged(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all programs in PyTorch, which takes minutes")
	}
	var known []change
	readJSON(t, filepath.Join("testdata", "changes.json"), &known)
	written := written(t)
	all := slices.Concat(programs(t), others(t), matching(t, "../../examples/python/*/*.py"), written, fromArchives(t))
	for _, r := range slices.Concat(releases(), current()) {
		t.Run(r.version, func(t *testing.T) {
			r.need(t)
			needed := map[string]bool{}
			run := sample(all, written)
			for _, c := range slices.Concat(
				r.unchanged(t, "fast", run),
				r.unchanged(t, "closely", written),
			) {
				c.check(t, r.version, known, needed)
			}
			for _, k := range known {
				ran := slices.ContainsFunc(run, func(path string) bool { return nameOf(path) == k.Program })
				if ran && (len(k.Releases) == 0 || slices.Contains(k.Releases, r.version)) && !needed[k.Program] {
					t.Errorf("changes.json lists %s, which is not changed", k.Program)
				}
			}
		})
	}
}

// sample is each tenth of the programs, and some that have to be among them; all if the
// environment says GRADTUI_ALL_PROGRAMS, which takes many minutes.
func sample(all, and []string) (some []string) {
	if os.Getenv("GRADTUI_ALL_PROGRAMS") != "" {
		return all
	}
	for i, path := range all {
		if i%10 == 0 || slices.Contains(and, path) {
			some = append(some, path)
		}
	}
	return some
}

// check reports what is changed and not known to be.
func (c *comparison) check(t *testing.T, release string, known []change, needed map[string]bool) {
	name := nameOf(c.Program)
	if c.Skipped != "" {
		t.Logf("%s is not compared: it %s", name, c.Skipped)
		return
	}
	for way, differences := range c.Differs {
		for what, difference := range differences {
			if slices.ContainsFunc(known, func(k change) bool {
				return k.Program == name && slices.Contains(k.What, what) && (len(k.Releases) == 0 || slices.Contains(k.Releases, release))
			}) {
				needed[name] = true
				continue
			}
			t.Errorf("%s: recording (%s) changes its %s (-without +with):\n%s", name, way, what, difference)
		}
	}
}

// written are the programs that were written for this test.
func written(t *testing.T) []string { return matching(t, "testdata/unchanged/*.py") }

func matching(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", pattern, err)
	}
	return files
}

// fromArchives are the programs that the rules of package inspect are tested with.
func fromArchives(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	seen := map[string]bool{} // one program of each rule is enough
	for _, path := range matching(t, "../../inspect/rules/testdata/*/*.txtar") {
		if rule := filepath.Dir(path); !seen[rule] || os.Getenv("GRADTUI_ALL_PROGRAMS") != "" {
			seen[rule] = true
		} else {
			continue
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) != ".py" {
				continue
			}
			name := filepath.Join(dir, filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".txtar"), filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			files = append(files, name)
		}
	}
	return files
}

// current is the release of PyTorch that the environment names, if it does.
func current() []release {
	python := os.Getenv("GRADTUI_PYTHON_CURRENT")
	if python == "" {
		return nil
	}
	out, err := exec.Command(python, "-W", "ignore", "-c", "import torch; print(*torch.__version__.split('.')[:2], sep='.')").Output()
	version := strings.TrimSpace(string(out))
	if err != nil {
		version = fmt.Sprintf("of %s: %v", python, err)
	}
	return []release{{version: version, required: "torch-current", command: []string{python}}}
}

// unchanged compares programs in this release.
func (r *release) unchanged(t *testing.T, way string, files []string) []comparison {
	t.Helper()
	args := append(slices.Clone(r.command), "-W", "ignore::DeprecationWarning:__main__", filepath.Join("testdata", "unchanged.py"),
		"--jobs", strconv.Itoa(min(runtime.NumCPU(), 8)), "--ways", way)
	cmd := exec.CommandContext(t.Context(), args[0], append(args[1:], files...)...)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "ATEN_CPU_CAPABILITY=avx2", "ONEDNN_MAX_CPU_ISA=AVX2", "OMP_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("unchanged.py: %v\n%s", err, complaints.String())
	}
	found := map[string]comparison{}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var c comparison
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("unchanged.py printed %q: %v", lines.Text(), err)
		}
		found[c.Program] = c
	}
	if len(found) != len(files) {
		t.Errorf("%d of %d programs were compared", len(found), len(files))
	}
	recorded := 0
	for _, c := range found {
		if c.Records > 0 {
			recorded++
		}
	}
	if recorded < len(found)*9/10 {
		t.Errorf("only %d of %d programs were recorded", recorded, len(found))
	}
	results := slices.Collect(maps.Values(found))
	slices.SortFunc(results, func(a, b comparison) int { return strings.Compare(a.Program, b.Program) })
	return results
}
