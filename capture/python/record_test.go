package python_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// A record is what became of a program, as tools/record/corpus/record.py writes it.
type record struct {
	Stdout, Stderr []string
	Exit           int
	Warnings       []warning
	Exception      *exception
	Tensors        map[string]tensor
	Graph          []string
}

type warning struct {
	Category, Text string
	Line           int
}

type exception struct {
	Type, Text string
	Line       int
}

type tensor struct {
	Shape        []int
	Dtype        string
	RequiresGrad bool `json:"requires_grad"`
	IsLeaf       bool `json:"is_leaf"`
	Class        string
	Unreadable   string
	Values       []value
}

// A value is a number, or two of a complex one.
type value []float64

func (v *value) UnmarshalJSON(data []byte) error {
	var many []json.RawMessage
	if json.Unmarshal(data, &many) != nil {
		many = []json.RawMessage{data}
	}
	for _, one := range many {
		text := strings.Trim(string(one), `"`)
		switch text {
		case "true", "True":
			text = "1"
		case "false", "False":
			text = "0"
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("value %s: %w", one, err)
		}
		*v = append(*v, x)
	}
	return nil
}

func readRecord(t *testing.T, path string) *record {
	t.Helper()
	r := new(record)
	readJSON(t, path, r)
	return r
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// compare gives the differences of two records by field.
func compare(want, got *record, ulps float64) map[string]string {
	found := map[string]string{}
	check := func(field string, want, got any) {
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			found[field] = diff
		}
	}
	check("stdout", want.Stdout, got.Stdout)
	check("stderr", want.Stderr, got.Stderr)
	check("exit", want.Exit, got.Exit)
	check("warnings", want.Warnings, got.Warnings)
	check("exception", want.Exception, got.Exception)
	check("graph", want.Graph, got.Graph)
	names := slices.Sorted(maps.Keys(want.Tensors))
	check("tensors", names, slices.Sorted(maps.Keys(got.Tensors)))
	for _, name := range names {
		w, g := want.Tensors[name], got.Tensors[name]
		diff := cmp.Diff(w, g, cmp.Comparer(func(a, b []value) bool { return near(a, b, w.Dtype, ulps) }))
		if diff != "" && found["tensors"] == "" {
			found["tensors"] = name + ": " + diff
		}
	}
	return found
}

// tolerance is how many units in the last place the values of a program may differ:
// tolerances.json says it for the folders in which programs lie.
func tolerance(t *testing.T, path string) float64 {
	t.Helper()
	var tolerances map[string]float64
	readJSON(t, filepath.Join("testdata", "tolerances.json"), &tolerances)
	if ulps, ok := tolerances[filepath.Base(filepath.Dir(path))]; ok {
		return ulps
	}
	return tolerances["*"]
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// epsilons are the distances of 1 to the next number.
var epsilons = map[string]float64{
	"torch.float32": 0x1p-23, "torch.float64": 0x1p-52, "torch.float16": 0x1p-10, "torch.bfloat16": 0x1p-7,
	"torch.complex64": 0x1p-23, "torch.complex128": 0x1p-52,
}

// near compares values. What is allowed is so many units in the last place of the
// largest, as sums in another order differ by that.
func near(a, b []value, dtype string, ulps float64) bool {
	if len(a) != len(b) {
		return false
	}
	largest := 0.0
	for _, v := range a {
		for _, x := range v {
			if !math.IsInf(x, 0) {
				largest = math.Max(largest, math.Abs(x)) // NaN stays out below
			}
		}
	}
	if math.IsNaN(largest) {
		largest = 1
	}
	allowed := ulps * epsilons[dtype] * largest
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for j, x := range a[i] {
			y := b[i][j]
			same := x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= allowed
			if !same {
				return false
			}
		}
	}
	return true
}

// runOnEngine runs a program on the engine, in an environment with some variables more, and
// gives what became of it.
func runOnEngine(t *testing.T, program string, environment ...string) *record {
	t.Helper()
	folder := t.TempDir()
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], program, folder)
	cmd.Env = append(append(pythontest.Environment(), observing+"=1"), environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("running %s: %v\n%s", program, err, out)
	}
	r := new(record)
	observed := filepath.Join(folder, "observed.json")
	if _, err := os.Stat(observed); !errors.Is(err, fs.ErrNotExist) {
		readJSON(t, observed, r)
	}
	var end ending
	readJSON(t, filepath.Join(folder, "ending.json"), &end)
	for _, problem := range end.Problems {
		t.Errorf("the tape is wrong: %s", problem)
	}
	r.Exit = end.Exit
	output := func(name string) []string {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(normal(string(data), filepath.Dir(program)), "\n")
	}
	r.Stdout = output("stdout")
	if r.Stderr = output("stderr"); len(r.Stderr) == 1 && r.Stderr[0] == "" {
		r.Stderr = nil
	}
	return r
}

var (
	addresses = regexp.MustCompile(`0x[0-9a-f]{6,}`)
	internals = regexp.MustCompile(` ?\(Triggered internally at [^)]*\)`)
)

// normal leaves out what changes from run to run, as observe.py does.
func normal(text, folder string) string {
	text = strings.ReplaceAll(text, folder+string(filepath.Separator), "")
	text = addresses.ReplaceAllString(text, "0x…")
	return internals.ReplaceAllString(text, "")
}

// needPython skips the test on a machine without Python.
func needPython(t *testing.T) {
	t.Helper()
	_, _, closed, err := python.Find(t.Context(), "")
	if err == nil {
		closed()
		return
	}
	require.Missing(t, "python", err.Error())
}
