package nn

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// This file is torch.nn.init: functions that fill a tensor, in place and with
// grad mode off. They draw the same numbers as PyTorch.

// without runs an in-place operation with grad mode off.
func without(t *autograd.Tensor, f func() error) error {
	if t == nil {
		return raise(autograd.AttributeError, "'NoneType' object has no attribute 'dim'")
	}
	if err := t.Err(); err != nil {
		return err
	}
	return autograd.WithoutGrad(f)
}

// Uniform_ fills t with uniform numbers in [low, high).
func Uniform_(t *autograd.Tensor, low, high float64) error {
	return without(t, func() error { return t.Uniform_(autograd.Kw("from", low), autograd.Kw("to", high)) })
}

// Normal_ fills t with normal numbers.
func Normal_(t *autograd.Tensor, mean, std float64) error {
	return without(t, func() error { return t.Normal_(autograd.Kw("mean", mean), autograd.Kw("std", std)) })
}

// TruncNormal_ fills t with normal numbers, truncated to [low, high].
func TruncNormal_(t *autograd.Tensor, mean, std, low, high float64) error {
	if mean < low-2*std || mean > high+2*std {
		autograd.Warn("UserWarning", "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.")
	}
	cdf := func(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }
	l, u := cdf((low-mean)/std), cdf((high-mean)/std)
	return without(t, func() error {
		for _, step := range []func() error{
			func() error { return t.Uniform_(autograd.Kw("from", 2*l-1), autograd.Kw("to", 2*u-1)) },
			func() error { return t.Erfinv_() },
			func() error { return t.Mul_(std * math.Sqrt2) },
			func() error { return t.Add_(mean) },
			func() error { return t.Clamp_(autograd.Kw("min", low), autograd.Kw("max", high)) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Constant_ fills t with a number.
func Constant_(t *autograd.Tensor, x any) error {
	return without(t, func() error { return t.Fill_(x) })
}

// Ones_ fills t with ones.
func Ones_(t *autograd.Tensor) error { return Constant_(t, 1.0) }

// Zeros_ fills t with zeros.
func Zeros_(t *autograd.Tensor) error {
	return without(t, func() error { return t.Zero_() })
}

// Eye_ makes a matrix the identity.
func Eye_(t *autograd.Tensor) error {
	return without(t, func() error {
		if t.Dim() != 2 {
			return raise(autograd.ValueError, "Only tensors with 2 dimensions are supported")
		}
		return t.Copy_(call1("eye", t.Shape()[0], t.Shape()[1]))
	})
}

// Gain is an option of the Xavier initializers and of Orthogonal_: the factor
// for the numbers.
func Gain(g float64) autograd.Option { return autograd.Kw("gain", g) }

// A is an option of the Kaiming initializers: the slope of a leaky ReLU.
func A(slope float64) autograd.Option { return autograd.Kw("a", slope) }

// Mode is an option of the Kaiming initializers: "fan_in" keeps the variance in
// the forward pass, "fan_out" in the backward pass.
func Mode(mode string) autograd.Option { return autograd.Kw("mode", mode) }

// Nonlinearity is an option of the Kaiming initializers: the function that
// follows, "relu" or "leaky_relu".
func Nonlinearity(name string) autograd.Option { return autograd.Kw("nonlinearity", name) }

// CalculateGain returns PyTorch's recommended gain for a nonlinearity. param is
// the slope of leaky_relu.
func CalculateGain(nonlinearity string, param any) (float64, error) {
	switch nonlinearity {
	case "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid":
		return 1, nil
	case "tanh":
		return 5.0 / 3, nil
	case "relu":
		return math.Sqrt2, nil
	case "selu":
		return 3.0 / 4, nil
	case "leaky_relu":
		slope := 0.01
		switch p := param.(type) {
		case nil:
		case float64:
			slope = p
		case int:
			slope = float64(p)
		default:
			return 0, raise(autograd.ValueError, fmt.Sprintf("negative_slope %s not a valid number", pycall.Repr(param)))
		}
		return math.Sqrt(2 / (1 + slope*slope)), nil
	}
	return 0, raise(autograd.ValueError, "Unsupported nonlinearity "+nonlinearity)
}

// fans returns how many inputs and outputs each element of a weight connects.
func fans(t *autograd.Tensor) (in, out int, err error) {
	if err := t.Err(); err != nil {
		return 0, 0, err
	}
	s := t.Shape()
	if len(s) < 2 {
		return 0, 0, raise(autograd.ValueError, "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
	}
	field := 1
	for _, n := range s[2:] {
		field *= n
	}
	return s[1] * field, s[0] * field, nil
}

// options reads the options of an initializer.
func options(function string, opts []autograd.Option, defaults map[string]any) (map[string]any, error) {
	for _, o := range opts {
		if _, ok := defaults[o.Name]; !ok {
			return nil, raise(autograd.TypeError, fmt.Sprintf("%s() got an unexpected keyword argument '%s'", function, o.Name))
		}
		defaults[o.Name] = o.Value
	}
	return defaults, nil
}

func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// xavierDeviation returns the standard deviation of the Xavier initializers for
// a weight.
func xavierDeviation(function string, t *autograd.Tensor, opts []autograd.Option) (float64, error) {
	o, err := options(function, opts, map[string]any{"gain": 1.0})
	if err != nil {
		return 0, err
	}
	in, out, err := fans(t)
	return number(o["gain"]) * math.Sqrt(2/float64(in+out)), err
}

// XavierUniform_ is the initializer of Glorot and Bengio with uniform numbers.
// Options: Gain.
func XavierUniform_(t *autograd.Tensor, opts ...autograd.Option) error {
	std, err := xavierDeviation("xavier_uniform_", t, opts)
	if err != nil {
		return err
	}
	bound := math.Sqrt(3) * std
	return Uniform_(t, -bound, bound)
}

// XavierNormal_ is the initializer of Glorot and Bengio with normal numbers.
// Options: Gain.
func XavierNormal_(t *autograd.Tensor, opts ...autograd.Option) error {
	std, err := xavierDeviation("xavier_normal_", t, opts)
	if err != nil {
		return err
	}
	return Normal_(t, 0, std)
}

// kaimingDeviation returns the standard deviation of the Kaiming initializers
// for a weight.
func kaimingDeviation(function string, t *autograd.Tensor, opts []autograd.Option) (float64, error) {
	o, err := options(function, opts, map[string]any{"a": 0, "mode": "fan_in", "nonlinearity": "leaky_relu"})
	if err != nil {
		return 0, err
	}
	in, out, err := fans(t)
	if err != nil {
		return 0, err
	}
	fan, ok := map[any]int{"fan_in": in, "fan_out": out}[o["mode"]]
	if !ok {
		return 0, raise(autograd.ValueError, fmt.Sprintf("Mode %v not supported, please use one of ['fan_in', 'fan_out']", o["mode"]))
	}
	gain, err := CalculateGain(fmt.Sprint(o["nonlinearity"]), o["a"])
	return gain / math.Sqrt(float64(fan)), err
}

// KaimingUniform_ is the initializer of He et al. with uniform numbers.
// Options: A, Mode, Nonlinearity.
func KaimingUniform_(t *autograd.Tensor, opts ...autograd.Option) error {
	if t.Err() == nil && t.Numel() == 0 && t.Dim() > 0 {
		autograd.Warn("UserWarning", "Initializing zero-element tensors is a no-op")
		return nil
	}
	std, err := kaimingDeviation("kaiming_uniform_", t, opts)
	if err != nil {
		return err
	}
	bound := math.Sqrt(3) * std
	return Uniform_(t, -bound, bound)
}

// KaimingNormal_ is the initializer of He et al. with normal numbers. Options:
// A, Mode, Nonlinearity.
func KaimingNormal_(t *autograd.Tensor, opts ...autograd.Option) error {
	if t.Err() == nil && t.Numel() == 0 && t.Dim() > 0 {
		autograd.Warn("UserWarning", "Initializing zero-element tensors is a no-op")
		return nil
	}
	std, err := kaimingDeviation("kaiming_normal_", t, opts)
	if err != nil {
		return err
	}
	return Normal_(t, 0, std)
}

// Orthogonal_ fills t with an orthogonal matrix. Dimensions after the first are
// flattened. Options: Gain.
func Orthogonal_(t *autograd.Tensor, opts ...autograd.Option) error {
	o, err := options("orthogonal_", opts, map[string]any{"gain": 1})
	if err != nil {
		return err
	}
	if err := t.Err(); err != nil {
		return err
	}
	if t.Dim() < 2 {
		return raise(autograd.ValueError, "Only tensors with 2 or more dimensions are supported")
	}
	if t.Numel() == 0 {
		return nil
	}
	rows := t.Shape()[0]
	cols := t.Numel() / rows
	return without(t, func() error {
		flat := autograd.Zeros([]int{rows, cols}, autograd.WithDType(t.DType()))
		if err := flat.Normal_(); err != nil {
			return err
		}
		if rows < cols {
			flat = flat.T()
		}
		q := orthonormal(flat)
		if rows < cols {
			q = q.T()
		}
		if err := t.View(q.Shape()).Copy_(q); err != nil {
			return err
		}
		return t.Mul_(o["gain"])
	})
}

// orthonormal makes the columns of a matrix orthonormal by the Gram-Schmidt
// process. The matrix has at least as many rows as columns. If the columns are
// linearly independent, the result is the Q of the QR decomposition in which R
// has a positive diagonal, as in PyTorch's orthogonal_.
func orthonormal(m *autograd.Tensor) *autograd.Tensor {
	rows, cols := m.Shape()[0], m.Shape()[1]
	q := m.Float64s()
	dot := func(a, b int) float64 {
		sum := 0.0
		for i := range rows {
			sum += q[i*cols+a] * q[i*cols+b]
		}
		return sum
	}
	for c := range cols {
		for range 2 { // the second pass removes rounding errors
			for before := range c {
				share := dot(before, c)
				for i := range rows {
					q[i*cols+c] -= share * q[i*cols+before]
				}
			}
		}
		length := math.Sqrt(dot(c, c))
		for i := range rows {
			q[i*cols+c] /= length
		}
	}
	return autograd.FromFloat64s(q, rows, cols).To(m.DType())
}
