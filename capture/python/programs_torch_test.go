package python_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// liveTolerance is how much more values may differ on another processor.
const liveTolerance = 16

// TestRecordsHoldInLivePyTorch runs a third of the programs in the releases of PyTorch of
// this machine, and all if the environment says GRADTUI_ALL_PROGRAMS, so that the records
// cannot drift from what they claim to record. PyTorch 2.6 must do what is recorded. The programs that 1.13 runs differently are listed,
// with reasons; a listed program may differ in anything, and few others may differ,
// too, as rounding and messages vary there from one build and processor to the next.
//
// Without PyTorch it is skipped, unless GRADTUI_REQUIRE lists torch or torch-2.6.
func TestRecordsHoldInLivePyTorch(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many programs in PyTorch")
	}
	t.Parallel()
	for _, r := range releases() {
		t.Run(r.version, func(t *testing.T) {
			t.Parallel()
			r.need(t)
			var known []difference
			if r.known != "" {
				readJSON(t, filepath.Join("testdata", r.known), &known)
			}
			run := sampled(slices.Concat(programs(t), others(t)), 3)
			results := r.become(t, run)
			unlisted := 0
			for _, file := range run {
				name := nameOf(file)
				got := results[name]
				if got == nil {
					t.Errorf("%s: no result", name)
					continue
				}
				path := strings.TrimSuffix(file, ".py") + ".json"
				if !exists(path) {
					t.Errorf("%s is not recorded: tools/record/corpus/record.py %s", name, file)
					continue
				}
				want := readRecord(t, path)
				found := compare(want, got, liveTolerance*tolerance(t, file))
				if found["stdout"] != "" && slices.EqualFunc(want.Stdout, got.Stdout, almostEqual) {
					t.Logf("%s: the last digits differ:\n%s", name, found["stdout"])
					delete(found, "stdout")
				}
				listed := slices.ContainsFunc(known, func(d difference) bool { return d.Program == name })
				switch {
				case listed && len(found) == 0:
					t.Logf("%s is listed in %s, but does what it does in PyTorch 2.6", name, r.known)
				case !listed && len(found) > 0:
					unlisted++
					for _, field := range slices.Sorted(maps.Keys(found)) {
						t.Logf("%s: %s is not what is recorded (-recorded +PyTorch %s):\n%s", name, field, r.version, found[field])
					}
				}
			}
			if unlisted > r.allowed {
				t.Errorf("%d programs do not do in PyTorch %s what is recorded", unlisted, r.version)
			}
		})
	}
}

// others are the recorded programs outside the corpus.
func others(t *testing.T) []string {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join("testdata", "cases", "*", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := filepath.Glob(filepath.Join("testdata", "lesson", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	return append(cases, lessons...)
}

// become gives what becomes of programs in this release.
func (r *release) become(t *testing.T, programs []string) map[string]*record {
	t.Helper()
	cmd := r.run(append([]string{"-W", "ignore", filepath.Join(corpusTools, "record.py"), "--lines"}, programs...)...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("record.py: %v\n%s", err, complaints.String())
	}
	results := map[string]*record{}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var line struct {
			Program string
			Result  *record
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("record.py printed %q: %v", lines.Text(), err)
		}
		results[nameOf(line.Program)] = line.Result
	}
	return results
}

var printedNumber = regexp.MustCompile(`-?[0-9]+\.[0-9]*(?:e[-+][0-9]+)?`)

// almostEqual reports whether two printed lines differ in nothing but the last
// digits of numbers: another processor may round differently.
func almostEqual(a, b string) bool {
	x, y := printedNumber.FindAllString(a, -1), printedNumber.FindAllString(b, -1)
	if len(x) != len(y) || squeezed(a) != squeezed(b) {
		return false
	}
	for i := range x {
		p, err := strconv.ParseFloat(x[i], 64)
		if err != nil {
			return false
		}
		q, err := strconv.ParseFloat(y[i], 64)
		if err != nil || math.Abs(p-q) > 2e-4*math.Max(1, math.Abs(p)) {
			return false
		}
	}
	return true
}

// squeezed is the line without its numbers, and without the space that aligns them.
func squeezed(line string) string {
	return strings.Join(strings.Fields(printedNumber.ReplaceAllString(line, "#")), " ")
}
