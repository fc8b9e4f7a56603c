package random

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// expressions are the Python expressions of testdata/rng.json, each as a
// pattern and the corresponding call.
var expressions = []struct {
	pattern *regexp.Regexp
	call    func(m []string) call
}{
	{regexp.MustCompile(`^torch\.randn\(([\d, ]+?)(?:, dtype=torch\.(\w+))?\)$`), func(m []string) call {
		return floatCall("normal", m[2], elements(m[1]), "mean", "0", "std", "1")
	}},
	{regexp.MustCompile(`^torch\.rand\(([\d, ]+?)(?:, dtype=torch\.(\w+))?\)$`), func(m []string) call {
		return floatCall("uniform", m[2], elements(m[1]), "from", "0", "to", "1")
	}},
	{regexp.MustCompile(`^torch\.empty\((\d+)\)\.uniform_\((\S+), (\S+)\)$`), func(m []string) call {
		return floatCall("uniform", "", elements(m[1]), "from", m[2], "to", m[3])
	}},
	{regexp.MustCompile(`^torch\.normal\((\S+), (\S+), \((\d+),\)\)$`), func(m []string) call {
		return floatCall("normal", "", elements(m[3]), "mean", m[1], "std", m[2])
	}},
	{regexp.MustCompile(`^torch\.nn\.functional\.dropout\(torch\.ones\((\d+)\), (\S+)\)$`), func(m []string) call {
		return floatCall("dropout", "", elements(m[1]), "p", m[2])
	}},
	{regexp.MustCompile(`^torch\.randint\((\S+), (\S+), \((\d+),\)\)$`), func(m []string) call {
		return call{Op: "randint", Type: "int64", N: elements(m[3]), Args: map[string]any{"from": json.Number(m[1]), "to": json.Number(m[2])}}
	}},
	{regexp.MustCompile(`^torch\.randperm\((\d+)\)$`), func(m []string) call {
		return call{Op: "randperm", Type: "int64", N: elements(m[1])}
	}},
	{regexp.MustCompile(`^nn\.Linear\((\d+), (\d+)\)\.weight$`), func(m []string) call {
		in, out := elements(m[1]), elements(m[2])
		return call{Op: "linear", Type: "float32", N: in*out + out, Args: map[string]any{"in": json.Number(m[1]), "out": json.Number(m[2])}}
	}},
}

func floatCall(op, dtype string, n int, args ...string) call {
	if dtype == "" {
		dtype = "float32"
	}
	c := call{Op: op, Type: dtype, N: n, Args: map[string]any{}}
	for i := 0; i < len(args); i += 2 {
		c.Args[args[i]] = args[i+1]
	}
	return c
}

// elements returns the number of elements of a shape such as "2, 3".
func elements(shape string) int {
	n := 1
	for _, s := range strings.Split(shape, ", ") {
		d, err := strconv.Atoi(s)
		if err != nil {
			panic(err)
		}
		n *= d
	}
	return n
}

// TestRecordedExpressions replays rng.json, which PyTorch 1.13 wrote: its
// vectors, its sequences of torch.randn and its words.
func TestRecordedExpressions(t *testing.T) {
	b, err := os.ReadFile("testdata/rng.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Vectors []struct {
			Seed        seed
			Expr, Dtype string
			Values      []json.Number
			Hex         []string
		}
		Sequences []struct {
			Seed   seed
			Counts []int
			Values [][]float64
		}
		RawU32 map[string][]uint32 `json:"raw_u32"`
	}
	if err := json.Unmarshal(b, &recorded); err != nil {
		t.Fatal(err)
	}
	if v, s, r := len(recorded.Vectors), len(recorded.Sequences), len(recorded.RawU32); v != 78 || s != 18 || r != 6 {
		t.Fatalf("rng.json holds %d vectors, %d sequences and %d lists of words, want 78, 18 and 6", v, s, r)
	}
	for _, v := range recorded.Vectors {
		c := parseExpression(t, v.Expr)
		if c.Type != v.Dtype {
			t.Errorf("%s: type %s, want %s", v.Expr, c.Type, v.Dtype)
		}
		for i := range v.Values {
			if v.Hex != nil {
				c.Values = append(c.Values, v.Hex[i])
			} else {
				c.Values = append(c.Values, v.Values[i])
			}
		}
		got, err := run(New(uint64(v.Seed)), c)
		if err != nil {
			t.Errorf("seed %d: %s: %v", v.Seed, v.Expr, err)
			continue
		}
		if c.Op == "linear" { // only its weight is recorded
			got = got.([]float32)[:len(v.Values)]
		}
		if d := diff(got, c); d != "" {
			t.Errorf("seed %d: %s: %s", v.Seed, v.Expr, d)
		}
	}
	for _, s := range recorded.Sequences {
		g := New(uint64(s.Seed))
		for i, n := range s.Counts {
			got := make([]float32, n)
			if err := Normal(g, got, 0, 1); err != nil {
				t.Fatal(err)
			}
			if len(s.Values[i]) != n {
				t.Fatalf("seed %d, counts %v: %d values for call %d", s.Seed, s.Counts, len(s.Values[i]), i)
			}
			for j, want := range s.Values[i] {
				if float64(got[j]) != want {
					t.Errorf("seed %d, counts %v: element %d of call %d is %v, want %v", s.Seed, s.Counts, j, i, got[j], want)
					break
				}
			}
		}
	}
	for name, words := range recorded.RawU32 {
		var s uint64
		draw := 1
		if _, err := fmt.Sscanf(name, "%d draw #%d", &s, &draw); err != nil && draw != 1 {
			t.Fatal(err)
		}
		g := New(s)
		for range draw - 1 {
			g.Uint32()
		}
		for i, want := range words {
			if got := g.Uint32(); got != want {
				t.Errorf("seed %s: word %d is %d, want %d", name, i, got, want)
			}
		}
	}
}

func parseExpression(t *testing.T, text string) call {
	t.Helper()
	for _, e := range expressions {
		if m := e.pattern.FindStringSubmatch(text); m != nil {
			return e.call(m)
		}
	}
	t.Fatalf("no rule for %s", text)
	return call{}
}
