package repr

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

var (
	torchCorpus  = flag.String("torch-corpus", "testdata/torch.jsonl", "output of tools/record/printing.py to compare with")
	pythonCorpus = flag.String("python-corpus", "testdata/python.jsonl", "output of tools/record/formatting.py to compare with")
)

// torchCase is a line of tools/record/printing.py, which documents the keys.
type torchCase struct {
	DType        string        `json:"d"`
	Shape        []int         `json:"s"`
	Raw          string        `json:"v"`
	Options      *torchOptions `json:"o"`
	DefaultDType string        `json:"f"`
	GradFn       string        `json:"g"`
	RequiresGrad int           `json:"q"`
	Parameter    int           `json:"p"`
	Meta         int           `json:"m"`
	Repr         string        `json:"r"`
}

type torchOptions struct {
	Precision *int     `json:"precision"`
	Threshold *float64 `json:"threshold"`
	EdgeItems *int     `json:"edgeitems"`
	LineWidth *int     `json:"linewidth"`
	Profile   string   `json:"profile"`
	SciMode   *bool    `json:"sci_mode"`
}

func (c torchCase) options() Options {
	o := DefaultOptions()
	if c.Options != nil {
		change := Change{
			Precision: c.Options.Precision,
			Threshold: c.Options.Threshold,
			EdgeItems: c.Options.EdgeItems,
			LineWidth: c.Options.LineWidth,
			Profile:   c.Options.Profile,
		}
		if s := c.Options.SciMode; s != nil {
			change.SciMode = SciOff
			if *s {
				change.SciMode = SciOn
			}
		}
		o = o.Set(change)
	}
	o.DefaultDType = c.DefaultDType
	return o
}

func (c torchCase) tensor(t *testing.T) Tensor {
	t.Helper()
	tensor := Tensor{
		Shape:        c.Shape,
		DType:        c.DType,
		GradFn:       c.GradFn,
		RequiresGrad: c.RequiresGrad == 1,
		Parameter:    c.Parameter == 1,
	}
	if c.Meta == 1 {
		return tensor
	}
	raw, err := base64.StdEncoding.DecodeString(c.Raw)
	if err != nil {
		t.Fatal(err)
	}
	tensor.Values = valuesOf(c.DType, raw)
	return tensor
}

// valuesOf reads little-endian elements and repeats them.
func valuesOf(dtype string, raw []byte) Values {
	le := binary.LittleEndian
	size := map[string]int{
		"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "float16": 2, "bfloat16": 2,
		"int32": 4, "float32": 4, "int64": 8, "float64": 8,
	}[dtype]
	at := func(i int) []byte { return raw[i%(len(raw)/size)*size:] }
	switch dtype {
	case "bool":
		return Bools(func(i int) bool { return at(i)[0] != 0 })
	case "uint8":
		return Ints(func(i int) int64 { return int64(at(i)[0]) })
	case "int8":
		return Ints(func(i int) int64 { return int64(int8(at(i)[0])) })
	case "int16":
		return Ints(func(i int) int64 { return int64(int16(le.Uint16(at(i)))) })
	case "int32":
		return Ints(func(i int) int64 { return int64(int32(le.Uint32(at(i)))) })
	case "int64":
		return Ints(func(i int) int64 { return int64(le.Uint64(at(i))) })
	case "float16":
		return Floats(func(i int) float64 { return half(le.Uint16(at(i))) })
	case "bfloat16":
		return Floats(func(i int) float64 {
			return float64(math.Float32frombits(uint32(le.Uint16(at(i))) << 16))
		})
	case "float32":
		return Floats(func(i int) float64 { return float64(math.Float32frombits(le.Uint32(at(i)))) })
	case "float64":
		return Floats(func(i int) float64 { return math.Float64frombits(le.Uint64(at(i))) })
	}
	panic("unknown dtype " + dtype)
}

// half returns the value of a float16.
func half(bits uint16) float64 {
	fraction, exponent := float64(bits&0x3ff), int(bits>>10&0x1f)
	var v float64
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent < 0x1f:
		v = math.Ldexp(1024+fraction, exponent-25)
	case fraction == 0:
		v = math.Inf(1)
	default:
		v = math.NaN()
	}
	if bits>>15 == 1 {
		return -v
	}
	return v
}

// eachLine decodes every line of a recorded corpus.
func eachLine[T any](t *testing.T, path string, f func(line int, c T)) int {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		n++
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
		f(n, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTensorsPrintAsRecordedFromPyTorch(t *testing.T) {
	wrong := 0
	n := eachLine(t, *torchCorpus, func(line int, c torchCase) {
		got := String(c.tensor(t), c.options())
		if got == c.Repr {
			return
		}
		if wrong++; wrong <= 10 {
			t.Errorf("line %d: %s %v %+v\n got: %s\nwant: %s", line, c.DType, c.Shape, c.Options, got, c.Repr)
		}
	})
	if wrong > 0 || n < 3000 {
		t.Errorf("%d of %d cases differ, want 0 of at least 3000", wrong, n)
	}
}

// sample is an entry of testdata/repr.json: an expression and its printed text.
type sample struct {
	Expr         string `json:"expr"`
	Shape        []int  `json:"shape"`
	DType        string `json:"dtype"`
	Values       []any  `json:"values"`
	RequiresGrad bool   `json:"requires_grad"`
	GradFn       string `json:"grad_fn"`
	Parameter    bool   `json:"parameter"`
	Repr         string `json:"repr"`
}

// ramps holds the elements of samples that were recorded without values.
var ramps = map[string]Values{
	"torch.arange(1000)":                      Ints(func(i int) int64 { return int64(i) }),
	"torch.arange(1001)":                      Ints(func(i int) int64 { return int64(i) }),
	"torch.arange(1002) * 1000003":            Ints(func(i int) int64 { return int64(i) * 1000003 }),
	"torch.arange(1001.)":                     ramp,
	"torch.arange(2000.).reshape(1000, 2)":    ramp,
	"torch.arange(2000.).reshape(2, 1000)":    ramp,
	"torch.arange(1100.).reshape(11, 10, 10)": ramp,
	"torch.arange(1001.) / 10":                Floats(func(i int) float64 { return float64(float32(i) / 10) }),
	"torch.zeros(1001)":                       Floats(func(int) float64 { return 0 }),
	"torch.ones(40, 40)":                      Floats(func(int) float64 { return 1 }),
	"torch.ones(7, 200, requires_grad=True)":  Floats(func(int) float64 { return 1 }),
}

var ramp = Floats(func(i int) float64 { return float64(i) })

func (s sample) values() Values {
	switch {
	case s.Values == nil:
		return ramps[s.Expr]
	case s.DType == "bool":
		return Bools(func(i int) bool { return s.Values[i].(bool) })
	case strings.Contains(s.DType, "int"):
		return Ints(func(i int) int64 { return int64(s.number(i)) })
	}
	return Floats(s.number)
}

// number returns element i; nan and infinities are recorded as strings.
func (s sample) number(i int) float64 {
	switch v := s.Values[i].(type) {
	case float64:
		return v
	case string:
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
	}
	panic(fmt.Sprintf("element %d of %s is %v", i, s.Expr, s.Values[i]))
}

func TestExpressionsPrintAsRecordedFromPyTorch(t *testing.T) {
	data, err := os.ReadFile("testdata/repr.json")
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	if len(samples) != 127 {
		t.Errorf("%d samples, want 127", len(samples))
	}
	for _, s := range samples {
		got := String(Tensor{
			Shape: s.Shape, DType: s.DType, Values: s.values(),
			GradFn: s.GradFn, RequiresGrad: s.RequiresGrad, Parameter: s.Parameter,
		}, DefaultOptions())
		if got != s.Repr {
			t.Errorf("%s\n got: %s\nwant: %s", s.Expr, got, s.Repr)
		}
	}
}
