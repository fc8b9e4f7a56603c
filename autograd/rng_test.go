package autograd

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// randomExpressions are the expressions of random/testdata/rng.json and what they
// are here.
var randomExpressions = []struct {
	pattern *regexp.Regexp
	make    func(m []string) *Tensor
}{
	{regexp.MustCompile(`^torch\.randn\(([\d, ]+?)(?:, dtype=torch\.(\w+))?\)$`), func(m []string) *Tensor { return Randn(sizesOf(m[1]), dtypeOption(m[2])...) }},
	{regexp.MustCompile(`^torch\.rand\(([\d, ]+?)(?:, dtype=torch\.(\w+))?\)$`), func(m []string) *Tensor { return Rand(sizesOf(m[1]), dtypeOption(m[2])...) }},
	{regexp.MustCompile(`^torch\.empty\((\d+)\)\.uniform_\((\S+), (\S+)\)$`), func(m []string) *Tensor {
		return mutated(Empty(sizesOf(m[1])), func(t *Tensor) error {
			return t.Uniform_(Kw("from", exampleNumber(m[2])), Kw("to", exampleNumber(m[3])))
		})
	}},
	{regexp.MustCompile(`^torch\.normal\((\S+), (\S+), \((\d+),\)\)$`), func(m []string) *Tensor {
		return Normal(exampleNumber(m[1]), exampleNumber(m[2]), sizesOf(m[3]))
	}},
	{regexp.MustCompile(`^torch\.randint\((\S+), (\S+), \((\d+),\)\)$`), func(m []string) *Tensor {
		return Randint(int(exampleNumber(m[1])), int(exampleNumber(m[2])), sizesOf(m[3]))
	}},
	{regexp.MustCompile(`^torch\.randperm\((\d+)\)$`), func(m []string) *Tensor { return Randperm(int(exampleNumber(m[1]))) }},
	{regexp.MustCompile(`^torch\.nn\.functional\.dropout\(torch\.ones\((\d+)\), (\S+)\)$`), func(m []string) *Tensor {
		// What F.dropout does: a mask of the elements to keep, scaled.
		p, x := exampleNumber(m[2]), Ones(sizesOf(m[1]))
		mask := mutated(x.EmptyLike(), func(t *Tensor) error { return t.Bernoulli_(Kw("p", 1-p)) })
		return x.Mul(mutated(mask, func(t *Tensor) error { return t.Div_(1 - p) }))
	}},
	{regexp.MustCompile(`^nn\.Linear\((\d+), (\d+)\)\.weight$`), func(m []string) *Tensor {
		// Kaiming's uniform distribution with a = √5.
		in, out := int(exampleNumber(m[1])), int(exampleNumber(m[2]))
		bound := math.Sqrt(3) * (math.Sqrt(2.0/6) / math.Sqrt(float64(in)))
		return mutated(Empty([]int{out, in}), func(t *Tensor) error { return t.Uniform_(Kw("from", -bound), Kw("to", bound)) })
	}},
}

func sizesOf(list string) []int {
	var sizes []int
	for _, s := range strings.Split(list, ", ") {
		n, err := strconv.Atoi(s)
		if err != nil {
			panic(err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

func exampleNumber(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}

func dtypeOption(name string) []Option {
	if name == "" {
		return nil
	}
	return []Option{WithDType(namedDType(name))}
}

// TestRandomOperatorsGivePyTorchsBits runs every expression that PyTorch
// recorded through the operators, and its sequences of calls.
func TestRandomOperatorsGivePyTorchsBits(t *testing.T) {
	text, err := os.ReadFile("random/testdata/rng.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Vectors []struct {
			Seed   json.Number
			Expr   string
			Shape  []int
			DType  string
			Values []float64
		}
		Sequences []struct {
			Seed   json.Number
			Counts []int
			Values [][]float64
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	if len(recorded.Vectors) < 70 || len(recorded.Sequences) < 10 {
		t.Fatalf("%d vectors and %d sequences are not all", len(recorded.Vectors), len(recorded.Sequences))
	}
	for _, v := range recorded.Vectors {
		seedWith(t, v.Seed)
		x := randomExpression(v.Expr)
		switch {
		case x == nil:
			t.Errorf("no entry for %s", v.Expr)
		case x.Err() != nil:
			t.Errorf("seed %s, %s: %v", v.Seed, v.Expr, x.Err())
		case !sameSizes(x.Shape(), v.Shape) || x.DType().String() != v.DType:
			t.Errorf("seed %s, %s: %s of shape %v, want %s of shape %v", v.Seed, v.Expr, x.DType(), x.Shape(), v.DType, v.Shape)
		default:
			sameBits(t, v.Expr, x, v.Values)
		}
	}
	for _, s := range recorded.Sequences {
		seedWith(t, s.Seed)
		for i, n := range s.Counts {
			sameBits(t, "torch.randn in a sequence", Randn([]int{n}), s.Values[i])
		}
	}
}

func seedWith(t *testing.T, seed json.Number) {
	t.Helper()
	var err error
	if i, bad := seed.Int64(); bad == nil {
		err = ManualSeed(int(i))
	} else {
		u, bad := strconv.ParseUint(seed.String(), 10, 64)
		if bad != nil {
			t.Fatal(bad)
		}
		err = ManualSeed(u)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func randomExpression(text string) *Tensor {
	for _, e := range randomExpressions {
		if m := e.pattern.FindStringSubmatch(text); m != nil {
			return e.make(m)
		}
	}
	return nil
}

func sameBits(t *testing.T, what string, x *Tensor, want []float64) {
	t.Helper()
	got := x.Float64s()
	if len(got) != len(want) {
		t.Errorf("%s: %d elements, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}
