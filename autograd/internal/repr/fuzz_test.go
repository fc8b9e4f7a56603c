package repr

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
)

// FuzzString prints tensors of any shape with any options. The text must be
// complete, and only elements of the tensor may be read.
func FuzzString(f *testing.F) {
	f.Add([]byte{}, uint8(0), []byte("\x00\x00\x80\x3f"), 4, 1000.0, 3, 80, uint8(0), "", false)
	f.Add([]byte{2, 0xff}, uint8(1), []byte("12345678"), 0, 5.0, 0, 1, uint8(1), "AddBackward0", true)
	f.Add([]byte{9, 9, 9}, uint8(4), []byte("abcdefgh"), -1, -1.0, -1, -1, uint8(2), "Ünïcode", false)
	dtypes := []string{
		"float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool",
	}
	f.Fuzz(func(t *testing.T, sizes []byte, dtype uint8, raw []byte,
		precision int, threshold float64, edge, lineWidth int, sci uint8, gradFn string, parameter bool) {
		if len(sizes) > 10 || len(raw) < 8 {
			return
		}
		shape := make([]int, len(sizes))
		for i, size := range sizes {
			shape[i] = int(int8(size))
		}
		n := numel(shape)
		if n > 10000 || precision > 1000 {
			return
		}
		name := dtypes[int(dtype)%len(dtypes)]
		text := String(Tensor{
			Shape: shape, DType: name, Values: bounded(t, valuesOf(name, raw), n),
			GradFn: gradFn, RequiresGrad: true, Parameter: parameter,
		}, Options{
			Precision: precision, Threshold: threshold, EdgeItems: edge,
			LineWidth: lineWidth, SciMode: Sci(sci % 3),
		})
		body := strings.TrimPrefix(text, "Parameter containing:\n")
		if !strings.HasPrefix(body, "tensor(") || !strings.HasSuffix(body, ")") {
			t.Errorf("incomplete text %q", text)
		}
		if gradFn == "" && strings.Count(body, "[") != strings.Count(body, "]") {
			t.Errorf("unbalanced brackets in %q", text)
		}
	})
}

// bounded fails the test if an index is not below n.
func bounded(t *testing.T, values Values, n int) Values {
	check := func(i int) int {
		if i < 0 || i >= n {
			t.Errorf("element %d of %d was read", i, n)
		}
		return i
	}
	switch v := values.(type) {
	case Floats:
		return Floats(func(i int) float64 { return v(check(i)) })
	case Ints:
		return Ints(func(i int) int64 { return v(check(i)) })
	case Bools:
		return Bools(func(i int) bool { return v(check(i)) })
	}
	return nil
}

// FuzzFormat applies any format specification to any number. A failure must be
// a Python exception.
func FuzzFormat(f *testing.F) {
	for _, spec := range []string{"", ".2f", "*^+#012,.4g", "é=_x", "z.0%", ",_", "99999999999999999999", "\xff<8"} {
		f.Add(1.5, int64(-3), spec)
	}
	f.Fuzz(func(t *testing.T, number float64, integer int64, spec string) {
		_, err1 := FormatFloat(number, spec)
		_, err2 := FormatInt(integer, spec)
		_, err3 := FormatBool(integer > 0, spec)
		for _, err := range []error{err1, err2, err3} {
			if raised := new(Error); err != nil && !errors.As(err, &raised) {
				t.Errorf("spec %q: %v is not an *Error", spec, err)
			}
		}
	})
}

// FuzzFloat checks that the repr of a float reads back as the same float.
func FuzzFloat(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), 0.1, 1e16, 5e-324, math.Inf(-1), 123456789} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		text := Float(v)
		back, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(v) && text == "nan" {
			return
		}
		if math.Float64bits(back) != math.Float64bits(v) {
			t.Errorf("%s reads back as %g, not %g", text, back, v)
		}
	})
}
