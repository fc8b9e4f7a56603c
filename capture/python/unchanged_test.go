package python_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// TestProgramsOnPyTorch runs programs on PyTorch with and without recording. Recording
// changes nothing of what a program does, byte by byte and bit by bit, and what is recorded
// is the tape of the built-in engine. What cannot be the same is in changes.json and in
// differences-engines.json, with the reason; an entry that is not needed any more fails the
// test.
//
// Without PyTorch it is skipped, unless GRADTUI_REQUIRE lists torch or torch-2.6. The
// release in GRADTUI_PYTHON_CURRENT, a Python, is taken as well (tools/pytorch/install current).
func TestProgramsOnPyTorch(t *testing.T) {
	needPython(t)
	run := corpus(t)
	onEngine := recordedOnEngine(run)
	eachRelease(t, func(t *testing.T, r *release) {
		compared := r.compared(t, run)
		t.Run("are unchanged by recording", func(t *testing.T) { areUnchanged(t, r.version, compared) })
		t.Run("have the same tape", func(t *testing.T) { haveTheSameTape(t, r, compared, onEngine) })
	})
}

// corpus returns the programs that were written to be hard to record, some of each rule, and a
// sample of all others; or the programs that match the pattern in GRADTUI_PROGRAMS.
func corpus(t *testing.T) []string {
	t.Helper()
	ofRule := 1
	if allPrograms() {
		ofRule = math.MaxInt
	}
	some := slices.Concat(matching(t, "testdata/"+hard+"/*.py"), fromArchives(t, ofRule),
		sampled(slices.Concat(programs(t), others(t), matching(t, "../../examples/python/*/*.py")), 10))
	if chosen := os.Getenv("GRADTUI_PROGRAMS"); chosen != "" {
		some = matching(t, chosen)
	}
	for i := range some {
		var err error
		if some[i], err = filepath.Abs(some[i]); err != nil {
			t.Fatal(err)
		}
	}
	return some
}

// sampled is one of so many programs, or all if the environment says GRADTUI_ALL_PROGRAMS.
func sampled(programs []string, every int) (some []string) {
	if allPrograms() {
		return programs
	}
	for i, program := range programs {
		if i%every == 0 || slices.Contains(mended, nameOf(program)) {
			some = append(some, program)
		}
	}
	return some
}

// mended are programs whose tapes on PyTorch once were wrong, or could easily become so. They
// are always taken.
var mended = []string{
	"autograd/detach", "autograd/retain_grad", "clean/hooks", "clean/recurrent_batches_with_state", "custom-function-wrong/inplace_forward",
	"grad-none-detached/float_penalty", "ops_layers/pooling", "stale-graph-across-iterations/dict_state",
	"repeated/leaves", "repeated/views", "step-order/gradients_zeroed_by_hand",
}

func allPrograms() bool { return os.Getenv("GRADTUI_ALL_PROGRAMS") != "" }

// hard is the folder of the programs that were written to be hard to record.
const hard = "unchanged"

// areUnchanged checks that recording changes nothing, except for what is known.
func areUnchanged(t *testing.T, release string, compared []comparison) {
	var known []change
	readJSON(t, filepath.Join("testdata", "changes.json"), &known)
	needed := map[string]bool{}
	for _, c := range compared {
		c.check(t, release, known, needed)
	}
	for _, k := range known {
		ran := slices.ContainsFunc(compared, func(c comparison) bool { return nameOf(c.Program) == k.Program })
		if ran && (len(k.Releases) == 0 || slices.Contains(k.Releases, release)) && !needed[k.Program] {
			t.Errorf("changes.json lists %s, which is not changed", k.Program)
		}
	}
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

func matching(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", pattern, err)
	}
	return files
}

// rulePrograms is the folder of those that the rules of package inspect are tested with.
const rulePrograms = "rules"

// fromArchives are some programs of each rule of package inspect.
func fromArchives(t *testing.T, ofRule int) (files []string) {
	t.Helper()
	dir := t.TempDir()
	taken := map[string]int{}
	for _, path := range matching(t, "../../inspect/rules/testdata/*/*.txtar") {
		rule, name := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".txtar")
		if taken[rule]++; taken[rule] > ofRule && !slices.Contains(mended, rule+"/"+name) {
			continue
		}
		archive, err := txtar.ParseFile(path)
		if err != nil || archive.Files[0].Name != "prog.py" {
			t.Fatalf("%s holds no program: %v", path, err)
		}
		source := archive.Files[0].Data
		if bytes.HasPrefix(source, []byte("import ")) { // both engines draw the same numbers
			source = append([]byte(`__import__("torch").manual_seed(0); `), source...)
		}
		file := filepath.Join(dir, rulePrograms, rule, name+".py")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, source, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
