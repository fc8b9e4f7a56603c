package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/kernel"

	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"
)

func unraw(s string, d DType, n int) []Scalar {
	b, _ := base64.StdEncoding.DecodeString(s)
	out := make([]Scalar, n)
	for i := range out {
		switch d {
		case Float32:
			out[i] = FloatScalar(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))))
		case Float64:
			out[i] = FloatScalar(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		case Int64:
			out[i] = IntScalar(int64(binary.LittleEndian.Uint64(b[8*i:])))
		default:
			out[i] = BoolScalar(b[i] != 0)
		}
	}
	return out
}

func TestZZBits(t *testing.T) {
	f, err := os.Open("/opt/t26/w/b_bits.jsonl")
	if err != nil {
		t.Skip()
	}
	type res struct {
		DType          string
		Shape, Strides []int
		Data           string
	}
	type stat struct {
		n, bad, ulp int
		ex          []string
		worst       float64
	}
	stats := map[string]*stat{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<27)
	for sc.Scan() {
		var c struct {
			Op             string
			Args           map[string]any
			DType          string
			Shape, Strides []int
			Offset         int
			Storage        string
			Out            []res
		}
		dec := json.NewDecoder(strings.NewReader(sc.Text()))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		d := namedDType(c.DType)
		size := map[DType]int{Float32: 4, Float64: 8, Int64: 8, Bool: 1}
		n := base64.StdEncoding.DecodedLen(len(c.Storage))
		b, _ := base64.StdEncoding.DecodeString(c.Storage)
		n = len(b) / size[d]
		st := alloc(d, []int{n})
		for i, v := range unraw(c.Storage, d, n) {
			st.setElement(i, v)
		}
		x := st.shallow(c.Shape, c.Strides, c.Offset)
		var opts []Option
		a := &arguments{}
		for k, v := range c.Args {
			if s, ok := v.(string); ok {
				opts = append(opts, Kw(k, specialFloat(s)))
				continue
			}
			opts = append(opts, Kw(k, a.value(v)))
		}
		s := stats[c.Op+fmt.Sprint(c.Args["ord"])+" "+c.DType]
		if s == nil {
			s = &stat{}
			stats[c.Op+fmt.Sprint(c.Args["ord"])+" "+c.DType] = s
		}
		s.n++
		fn, ok := Lookup(c.Op)
		if !ok {
			t.Fatal("no", c.Op)
		}
		in := []any{x}
		if strings.HasSuffix(c.Op, "backward_data") {
			in = []any{x, x, plainNumber(c.Args["dim"].(json.Number)).(int), x.dtype}
			opts = nil
		}
		if c.Op == "exp" || c.Op == "log" {
			f := kernel.Exp[float32]
			g := kernel.Exp[float64]
			if c.Op == "log" {
				f, g = kernel.Log[float32], kernel.Log[float64]
			}
			y := copied(x, x.dtype)
			if x.dtype == Float32 {
				for i, e := range y.st.f32 {
					y.st.f32[i] = f(e)
				}
			} else {
				for i, e := range y.st.other.f64 {
					y.st.other.f64[i] = g(e)
				}
			}
			for k := range c.Out {
				c.Out[k].Strides = y.strides
			}
			in[0] = y
			fn, _ = Lookup("clone")
		}
		outs, err := fn.Call(in, opts...)
		if err != nil {
			s.bad++
			s.ex = append(s.ex, fmt.Sprint(c.Shape, c.Args, err))
			continue
		}
		bad := ""
		for i, w := range c.Out {
			o := outs[i]
			if o.dtype.String() != w.DType || fmt.Sprint(o.sizes) != fmt.Sprint(w.Shape) && len(o.sizes)+len(w.Shape) > 0 || len(o.sizes) > 0 && fmt.Sprint(o.strides) != fmt.Sprint(w.Strides) {
				bad = fmt.Sprint("meta", o.sizes, o.strides, w.Shape, w.Strides, o.dtype, w.DType)
				break
			}
			m := 1
			for _, q := range w.Shape {
				m *= q
			}
			want := unraw(w.Data, o.dtype, m)
			for k := range want {
				g := o.element(o.at(k))
				if g != want[k] && !(g.Float() != g.Float() && want[k].Float() != want[k].Float()) {
					rel := math.Abs(g.Float()-want[k].Float()) / math.Abs(want[k].Float())
					s.worst = max(s.worst, rel)
					bad = fmt.Sprint("out ", i, " el ", k, " got ", g, " want ", want[k])
				}
			}
		}
		if bad != "" {
			s.bad++
			s.ex = append(s.ex, fmt.Sprint(c.Shape, c.Strides, c.Args, " ", bad))
		}
	}
	var names []string
	for k := range stats {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		s := stats[k]
		t.Logf("%s: %d cases, %d differ, worst rel %g", k, s.n, s.bad, s.worst)
		for i, e := range s.ex {
			if i < 6 {
				t.Log("   ", e)
			}
		}
	}
}
