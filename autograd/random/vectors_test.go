package random

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// call is one recorded call of PyTorch; see tools/record/random/record.py.
type call struct {
	Op      string
	Type    string
	N       int
	Strided bool
	Args    map[string]any
	Values  []any
	Hash    string
	// Off lists the elements that show rounding errors of the C library's sine,
	// cosine and tangent: the index, and the bits of PyTorch's result minus the
	// bits of the result of correctly rounded functions.
	Off [][2]int64
}

func (c call) String() string {
	strided := ""
	if c.Strided {
		strided = "strided "
	}
	args, _ := json.Marshal(c.Args)
	if len(args) > 80 {
		args = append(args[:80], "..."...)
	}
	return fmt.Sprintf("%s %s%s[%d] %s", c.Op, strided, c.Type, c.N, args)
}

// float returns a floating-point argument.
func (c call) float(name string) float64 {
	v, err := strconv.ParseFloat(c.Args[name].(string), 64)
	if err != nil {
		panic(err)
	}
	return v
}

// integer returns an integer argument.
func (c call) integer(name string) int64 {
	v, err := c.Args[name].(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return v
}

// floatsArg returns a list argument.
func floatsArg[T Float](c call, name string) []T {
	var out []T
	for _, v := range c.Args[name].([]any) {
		f, err := strconv.ParseFloat(v.(string), 64)
		if err != nil {
			panic(err)
		}
		out = append(out, T(f))
	}
	return out
}

// seed is a Python integer from -2^63 to 2^64-1.
type seed uint64

func (s *seed) UnmarshalJSON(b []byte) error {
	if v, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		*s = seed(v)
		return nil
	}
	v, err := strconv.ParseUint(string(b), 10, 64)
	*s = seed(v)
	return err
}

// load reads a file of testdata, which must hold at least the given number of
// entries, so that a lost vector cannot look like a passed one.
func load[T any](t *testing.T, name string, least int) []T {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	var out []T
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(out) < least {
		t.Fatalf("%s holds %d entries, want at least %d", name, len(out), least)
	}
	return out
}

// digest returns the hash in record.py's format.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// elementBytes returns the bytes of a slice of elements, little-endian.
func elementBytes(elements any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, elements)
	if err != nil {
		panic(err)
	}
	return b
}

// run makes the call on g and returns the slice of elements it drew.
func run(g *Generator, c call) (any, error) {
	switch c.Type {
	case "float32":
		d := make([]float32, c.N)
		return d, drawFloat(g, d, c)
	case "float64":
		d := make([]float64, c.N)
		return d, drawFloat(g, d, c)
	case "int64":
		d := make([]int64, c.N)
		return d, drawNumber(g, d, c)
	case "bool":
		d := make([]bool, c.N)
		return d, drawElement(g, d, c)
	}
	panic("no element type " + c.Type)
}

func drawFloat[T Float](g *Generator, d []T, c call) error {
	switch c.Op {
	case "uniform":
		return Uniform(g, d, c.float("from"), c.float("to"))
	case "normal":
		if c.Strided {
			return NormalStrided(g, d, c.float("mean"), c.float("std"))
		}
		return Normal(g, d, c.float("mean"), c.float("std"))
	case "dropout":
		return Dropout(g, d, c.float("p"))
	case "exponential":
		return Exponential(g, d, c.float("rate"))
	case "cauchy":
		return Cauchy(g, d, c.float("median"), c.float("sigma"))
	case "log normal":
		return LogNormal(g, d, c.float("mean"), c.float("std"))
	case "linear":
		return linear(g, d, int(c.integer("in")), int(c.integer("out")))
	}
	return drawNumber(g, d, c)
}

// linear draws the parameters of nn.Linear: the weight, whose bound PyTorch
// computes with kaiming_uniform_ with a = sqrt 5, then the bias.
func linear[T Float](g *Generator, d []T, in, out int) error {
	gain := math.Sqrt(2.0 / (1 + math.Sqrt(5)*math.Sqrt(5)))
	weight := math.Sqrt(3) * (gain / math.Sqrt(float64(in)))
	if err := Uniform(g, d[:in*out], -weight, weight); err != nil {
		return err
	}
	bias := 1 / math.Sqrt(float64(in))
	return Uniform(g, d[in*out:], -bias, bias)
}

func drawNumber[T Number](g *Generator, d []T, c call) error {
	switch c.Op {
	case "randint":
		return RandInt(g, d, c.integer("from"), c.integer("to"))
	case "random":
		RandIntUnbounded(g, d)
		return nil
	case "randperm":
		RandPerm(g, d)
		return nil
	case "geometric":
		return Geometric(g, d, c.float("p"))
	}
	return drawElement(g, d, c)
}

func drawElement[T Element](g *Generator, d []T, c call) error {
	switch c.Op {
	case "bernoulli":
		return Bernoulli(g, d, c.float("p"))
	case "bernoulli each":
		if c.Args["ptype"] == "float32" {
			return BernoulliEach(g, d, probabilities[float32](c))
		}
		return BernoulliEach(g, d, probabilities[float64](c))
	}
	panic("no operation " + c.Op)
}

// probabilities returns the argument of "bernoulli each". record.py computes it
// in the same way unless it is spelled out.
func probabilities[T Float](c call) []T {
	if c.Args["p"] != nil {
		return floatsArg[T](c, "p")
	}
	p := make([]T, c.N)
	for i := range p {
		p[i] = T(float64((37*i+11)%101) / 101)
	}
	copy(p, []T{0, 1})
	return p
}

// draw is run, extended by the operations whose results are indices.
func draw(g *Generator, c call) (any, error) {
	switch c.Op + " " + c.Type {
	case "multinomial float32":
		return multinomial[float32](g, c)
	case "multinomial float64":
		return multinomial[float64](g, c)
	case "topk float32":
		return topk[float32](c), nil
	case "topk float64":
		return topk[float64](c), nil
	}
	return run(g, c)
}

// topk returns the indices that torch.topk returns for the values described in
// record.py.
func topk[T Float](c call) []int64 {
	e := make([]entry[T], c.integer("length"))
	modulus, step := int(c.integer("modulus")), int(c.integer("step"))
	for i := range e {
		half := len(e) / 2
		v := 0
		switch {
		case modulus > 0:
			v = i * i * step % modulus
		case i >= half:
			v = -2 * (i - half + 1)
		case i%2 == 0:
			v = -(i + 1)
		default:
			v = -(half + i)
		}
		e[i] = entry[T]{T(v), int64(i)}
	}
	topEntries(e, c.N)
	d := make([]int64, c.N)
	for i := range d {
		d[i] = e[i].index
	}
	return d
}

func multinomial[T Float](g *Generator, c call) ([]int64, error) {
	d := make([]int64, c.N)
	weights := floatsArg[T](c, "weights")
	rows := max(int(c.integer("rows")), 1)
	return d, Multinomial(g, d, weights, len(weights)/rows, int(c.integer("samples")), c.Args["replacement"].(bool))
}

// addErrors adds the errors of the C library's functions to results. off has
// the form of call.Off.
func addErrors(elements any, off [][2]int64) {
	if len(off) == 0 {
		return
	}
	e := elements.([]float64)
	for _, o := range off {
		e[o[0]] = offBy(e[o[0]], o[1])
	}
}

// offBy returns the number whose bits are the bits of v plus d.
func offBy(v float64, d int64) float64 {
	return math.Float64frombits(math.Float64bits(v) + uint64(d))
}

// stateBytesOff returns the bytes of the state of g. The errors of the C
// library change its cached normal value by d.
func stateBytesOff(g *Generator, d int64) []byte {
	s := g.State()
	if d != 0 {
		s.g.normal = offBy(s.g.normal, d)
	}
	return s.Bytes()
}

// diff returns how the bits of a slice of elements differ from the recorded
// values or their hash, or "".
func diff(got any, c call) string {
	addErrors(got, c.Off)
	if c.Hash != "" {
		if h := digest(elementBytes(got)); h != c.Hash {
			return fmt.Sprintf("hash %s, want %s", h, c.Hash)
		}
		return ""
	}
	texts := texts(got)
	if len(texts) != len(c.Values) || len(texts) == 0 {
		return fmt.Sprintf("%d elements, want %d", len(texts), len(c.Values))
	}
	for i, text := range texts {
		want := fmt.Sprint(c.Values[i])
		if f, err := strconv.ParseFloat(want, 64); err == nil && strings.ContainsAny(want, "pn") {
			want = text64(f)
		}
		if text != want {
			return fmt.Sprintf("element %d is %s, want %s", i, text, want)
		}
	}
	return ""
}

// texts formats elements so that equal texts mean equal bits (except for NaN).
func texts(elements any) []string {
	var out []string
	switch e := elements.(type) {
	case []float32:
		for _, v := range e {
			out = append(out, text64(float64(v)))
		}
	case []float64:
		for _, v := range e {
			out = append(out, text64(v))
		}
	case []int64:
		for _, v := range e {
			out = append(out, strconv.FormatInt(v, 10))
		}
	case []bool:
		for _, v := range e {
			out = append(out, strconv.FormatBool(v))
		}
	}
	return out
}

func text64(v float64) string { return strconv.FormatFloat(v, 'x', -1, 64) }
