package autograd

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var (
	vectorRun   = flag.String("vectors", "", "run only the recorded cases whose id matches this expression")
	vectorFails = flag.Bool("vectors.list", false, "list all failing cases with their first difference")
)

// TestOperatorsDoWhatPyTorchRecorded runs the recorded operator vectors.
// testdata/ops-known.json lists intended differences, with reasons; an entry
// that is no longer needed is also an error.
func TestOperatorsDoWhatPyTorchRecorded(t *testing.T) {
	known := readKnown(t)
	filter := regexp.MustCompile(*vectorRun)
	files, err := filepath.Glob("testdata/ops/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded vectors", err)
	}
	total := 0
	for _, file := range files {
		family := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if strings.HasPrefix(family, "diff-") {
			continue
		}
		t.Run(family, func(t *testing.T) {
			passed := 0
			failed := map[string][]string{}
			for _, c := range readVectors(t, file) {
				if !filter.MatchString(c.ID) {
					continue
				}
				total++
				diffs := runVector(c)
				reason := known.reason(c.ID, diffs)
				switch {
				case len(diffs) == 0 && known.cases[c.ID] != nil:
					t.Errorf("%s agrees with PyTorch: remove it from ops-known.json", c.ID)
				case len(diffs) == 0 || reason != "":
					passed++
				default:
					failed[c.Fn] = append(failed[c.Fn], c.ID+": "+diffs[0])
				}
			}
			report(t, passed, failed)
		})
	}
	if *vectorRun == "" && total < 3000 {
		t.Errorf("only %d recorded cases were found", total)
	}
}

func report(t *testing.T, passed int, failed map[string][]string) {
	var names []string
	n := 0
	for fn, list := range failed {
		names = append(names, fn)
		n += len(list)
	}
	sort.Strings(names)
	if n == 0 {
		return
	}
	t.Errorf("%d cases agree, %d do not", passed, n)
	for i, fn := range names {
		if i == 40 && !*vectorFails {
			t.Logf("... and %d other functions (-vectors.list shows all)", len(names)-i)
			break
		}
		if !*vectorFails {
			t.Logf("%s: %d, such as %s", fn, len(failed[fn]), failed[fn][0])
			continue
		}
		for _, line := range failed[fn] {
			t.Logf("%s: %s", fn, line)
		}
	}
}

func readVectors(t *testing.T, file string) []*vectorCase {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []*vectorCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := &vectorCase{}
		dec := json.NewDecoder(strings.NewReader(lines.Text()))
		dec.UseNumber()
		if err := dec.Decode(c); err != nil {
			t.Fatal(file, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// known is a list of intended differences from the recording.
type known struct {
	cases map[string]*knownCase
}

type knownCase struct {
	Fields []string `json:"fields"`
	Why    string   `json:"why"`
}

func readKnown(t *testing.T) *known {
	var groups []struct {
		Why    string   `json:"why"`
		Fields []string `json:"fields"`
		Cases  []string `json:"cases"`
	}
	text, err := os.ReadFile("testdata/ops-known.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	k := &known{cases: map[string]*knownCase{}}
	for _, g := range groups {
		for _, id := range g.Cases {
			k.cases[id] = &knownCase{g.Fields, g.Why}
		}
	}
	return k
}

// reason returns why a case may differ. Every difference must be in a listed
// field.
func (k *known) reason(id string, diffs []string) string {
	c := k.cases[id]
	if c == nil {
		return ""
	}
	for _, d := range diffs {
		ok := false
		for _, field := range c.Fields {
			ok = ok || strings.HasPrefix(d, field)
		}
		if !ok {
			return ""
		}
	}
	return c.Why
}

// runVector returns the differences between the engine and the recording. Each
// begins with the path of the field.
func runVector(c *vectorCase) (diffs []string) {
	// The recording has every warning, even warnings that a program sees only
	// once.
	before := warnAlways
	warnAlways = true
	defer func() { warnAlways = before }()
	defer func() {
		if r := recover(); r != nil {
			diffs = []string{fmt.Sprint("panic: ", r)}
		}
	}()
	got := evaluate(c)
	if got["missing"] != nil {
		return []string{"missing operator"}
	}
	for _, skip := range []string{"structure"} {
		delete(c.Result, skip)
	}
	compare("", c.Result, got, "float32", &diffs)
	sort.Strings(diffs)
	return diffs
}

var (
	relative = map[string]float64{"float32": 2e-5, "float64": 1e-9, "float16": 2e-3, "bfloat16": 2e-2}
	small    = map[string]float64{"float32": 1e-6, "float64": 1e-13, "float16": 1e-4, "bfloat16": 1e-3}
)

// compare collects the paths at which two JSON values differ.
func compare(path string, want, got any, dtype string, diffs *[]string) {
	differ := func() {
		*diffs = append(*diffs, fmt.Sprintf("%s: got %s, want %s", strings.TrimPrefix(path, "."), short(got), short(want)))
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(object)
		if !ok {
			differ()
			return
		}
		if d, ok := w["dtype"].(string); ok {
			dtype = d
		}
		for _, key := range keysOf(w, g) {
			wv, inWant := w[key]
			gv, inGot := g[key]
			if inWant != inGot {
				*diffs = append(*diffs, fmt.Sprintf("%s: got %s, want %s", strings.TrimPrefix(path+"."+key, "."), shortIf(gv, inGot), shortIf(wv, inWant)))
				continue
			}
			compare(path+"."+key, wv, gv, dtype, diffs)
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			differ()
			return
		}
		before := len(*diffs)
		for i := range w {
			compare(path, w[i], g[i], dtype, diffs)
			if len(*diffs) > before {
				*diffs = (*diffs)[:before]
				differ()
				return
			}
		}
	default:
		if !sameLeaf(want, got, dtype) {
			differ()
		}
	}
}

func keysOf(a, b map[string]any) []string {
	var keys []string
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}

func sameLeaf(want, got any, dtype string) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case bool:
		return got == w
	case string:
		if f, ok := got.(float64); ok {
			return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)) == w || math.IsInf(f, 1) && w == "inf"
		}
		return got == w
	case json.Number:
		isFloat := strings.ContainsAny(string(w), ".eE")
		switch g := got.(type) {
		case int:
			return !isFloat && strconv.Itoa(g) == string(w)
		case uint64:
			return !isFloat && strconv.FormatUint(g, 10) == string(w)
		case float64:
			f, _ := w.Float64()
			if f == g {
				return f != 0 || math.Signbit(f) == math.Signbit(g)
			}
			return isFloat && math.Abs(f-g) <= math.Max(relative[dtype]*math.Max(math.Abs(f), math.Abs(g)), small[dtype])
		}
	}
	return false
}

func short(v any) string {
	text, err := json.Marshal(v)
	s := string(text)
	if err != nil {
		s = fmt.Sprint(v)
	}
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return s
}

func shortIf(v any, ok bool) string {
	if !ok {
		return "nothing"
	}
	return short(v)
}
