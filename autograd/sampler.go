package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
	"github.com/gradtui/gradtui/autograd/random"
)

// A sampler draws the elements of a tensor, in memory order. plain says that
// the tensor is contiguous, which matters for normal numbers. A class of
// elements without a function is not supported.
type sampler struct {
	name string // in PyTorch's message for a dtype that is not supported
	f32  func(g *random.Generator, d []float32, plain bool) error
	f64  func(g *random.Generator, d []float64, plain bool) error
	i64  func(g *random.Generator, d []int64, plain bool) error
	b    func(g *random.Generator, d []bool, plain bool) error
	// small replaces i64 for integers of fewer bits, if they are drawn
	// differently.
	small func(g *random.Generator, d []int64, bits int) error
	// half replaces f32 for floats of fewer digits than float32, if they are
	// drawn differently.
	half func(g *random.Generator, d []float32, as DType, plain bool) error
}

// integerBits is the number of bits of the largest number of each smaller
// integer dtype.
var integerBits = map[DType]int{UInt8: 8, Int8: 7, Int16: 15, Int32: 31}

// halfDigits is the number of binary digits in the significand of the
// half-precision dtypes.
var halfDigits = map[DType]int{Float16: 11, BFloat16: 8}

func uniform(from, to float64) sampler {
	return sampler{
		name: "check_uniform_bounds",
		f32:  func(g *random.Generator, d []float32, _ bool) error { return random.Uniform(g, d, from, to) },
		f64:  func(g *random.Generator, d []float64, _ bool) error { return random.Uniform(g, d, from, to) },
		half: func(g *random.Generator, d []float32, as DType, _ bool) error {
			return random.UniformDigits(g, d, from, to, halfDigits[as])
		},
	}
}

func normal(mean, std float64) sampler {
	return sampler{
		name: "normal_kernel_cpu",
		f32:  func(g *random.Generator, d []float32, plain bool) error { return drawNormal(g, d, mean, std, plain) },
		f64:  func(g *random.Generator, d []float64, plain bool) error { return drawNormal(g, d, mean, std, plain) },
		half: func(g *random.Generator, d []float32, as DType, plain bool) error {
			if !plain {
				return random.NormalStrided(g, d, mean, std)
			}
			return random.NormalRounded(g, d, mean, std, halfDigits[as], func(x float32) float32 { return roundFloat(as, x) })
		},
	}
}

func drawNormal[T random.Float](g *random.Generator, d []T, mean, std float64, plain bool) error {
	if plain {
		return random.Normal(g, d, mean, std)
	}
	return random.NormalStrided(g, d, mean, std)
}

func integers(from, to int) sampler {
	lo, hi := int64(from), int64(to)
	return sampler{
		name: "random_from_to_kernel_cpu",
		f32:  func(g *random.Generator, d []float32, _ bool) error { return random.RandInt(g, d, lo, hi) },
		f64:  func(g *random.Generator, d []float64, _ bool) error { return random.RandInt(g, d, lo, hi) },
		i64:  func(g *random.Generator, d []int64, _ bool) error { return random.RandInt(g, d, lo, hi) },
		b: func(g *random.Generator, d []bool, _ bool) error {
			switch {
			case lo < 0 || lo > 1:
				return fail(RuntimeError, CodeArgument, "from is out of bounds for bool")
			case hi > 2:
				return fail(RuntimeError, CodeArgument, "to - 1 is out of bounds for bool")
			}
			drawn := make([]int64, len(d))
			err := random.RandInt(g, drawn, lo, hi)
			for i, x := range drawn {
				d[i] = x != 0
			}
			return err
		},
	}
}

var anyInteger = sampler{
	name: "random_kernel_cpu",
	f32:  func(g *random.Generator, d []float32, _ bool) error { random.RandIntUnbounded(g, d); return nil },
	f64:  func(g *random.Generator, d []float64, _ bool) error { random.RandIntUnbounded(g, d); return nil },
	i64:  func(g *random.Generator, d []int64, _ bool) error { random.RandIntUnbounded(g, d); return nil },
	b: func(g *random.Generator, d []bool, _ bool) error {
		for i := range d {
			d[i] = g.Uint32()&1 != 0
		}
		return nil
	},
	small: func(g *random.Generator, d []int64, bits int) error {
		random.RandIntBelow(g, d, 1<<bits)
		return nil
	},
	half: func(g *random.Generator, d []float32, as DType, _ bool) error {
		random.RandIntBelow(g, d, 1<<halfDigits[as]+1)
		return nil
	},
}

var permutationDraw = sampler{
	name: "randperm",
	f32:  func(g *random.Generator, d []float32, _ bool) error { random.RandPerm(g, d); return nil },
	f64:  func(g *random.Generator, d []float64, _ bool) error { random.RandPerm(g, d); return nil },
	i64:  func(g *random.Generator, d []int64, _ bool) error { random.RandPerm(g, d); return nil },
}

// coins draws 1 with probability p, else 0.
func coins(p float64) sampler {
	return sampler{
		name: "bernoulli_scalar_cpu_",
		f32:  func(g *random.Generator, d []float32, _ bool) error { return random.Bernoulli(g, d, p) },
		f64:  func(g *random.Generator, d []float64, _ bool) error { return random.Bernoulli(g, d, p) },
		i64:  func(g *random.Generator, d []int64, _ bool) error { return random.Bernoulli(g, d, p) },
		b:    func(g *random.Generator, d []bool, _ bool) error { return random.Bernoulli(g, d, p) },
	}
}

// draw fills t with random numbers.
func (s *sampler) draw(g *random.Generator, t *Tensor) *Error {
	var err error
	ok := false
	switch classOf(t.dtype) {
	case f32Class:
		f32 := s.f32
		if halfDigits[t.dtype] != 0 && s.half != nil {
			f32 = func(g *random.Generator, d []float32, plain bool) error { return s.half(g, d, t.dtype, plain) }
		}
		ok, err = drawElements(g, t, f32)
	case f64Class:
		ok, err = drawElements(g, t, s.f64)
	case i64Class:
		i64 := s.i64
		if bits := integerBits[t.dtype]; bits != 0 && s.small != nil {
			i64 = func(g *random.Generator, d []int64, _ bool) error { return s.small(g, d, bits) }
		}
		ok, err = drawElements(g, t, i64)
	default:
		ok, err = drawElements(g, t, s.b)
	}
	if !ok {
		return undefined(s.name, t.dtype)
	}
	if err != nil {
		return fail(RuntimeError, CodeArgument, "%s", err.Error())
	}
	return nil
}

func drawElements[T element](g *random.Generator, t *Tensor, f func(g *random.Generator, d []T, plain bool) error) (bool, error) {
	if f == nil {
		return false, nil
	}
	if t.flags&contiguousFlag != 0 {
		err := f(g, elements[T](t), true)
		rounded(t)
		return true, err
	}
	values := alloc(t.dtype, []int{t.Numel()})
	err := f(g, elements[T](values), false)
	rounded(values)
	at := t.placesInMemory()
	d, v := data[T](t.st), data[T](values.st)
	for i, p := range at {
		d[p] = v[i]
	}
	return true, err
}

// placesInMemory returns the positions of the elements in memory order.
func (t *Tensor) placesInMemory() []int {
	order := make([]int, len(t.sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return t.strides[y] - t.strides[x] })
	return kernel.Places(permuted(t.sizes, order), permuted(t.strides, order), t.offset)
}

// drawn makes a new tensor of random numbers.
func (a *Args) drawn(sizes []int, d DType, s sampler) ([]*Tensor, error) {
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	return a.filledFrom(alloc(a.DType("dtype", d), sizes), s)
}

// drawnLike makes a new tensor of random numbers with self's shape and layout.
func (a *Args) drawnLike(s sampler) ([]*Tensor, error) {
	t := a.Self()
	return a.filledFrom(allocPreservingAs(t, a.DType("dtype", t.dtype)), s)
}

func (a *Args) filledFrom(t *Tensor, s sampler) ([]*Tensor, error) {
	g := DefaultGenerator
	if a.op.param("generator") >= 0 {
		g = a.Generator("generator")
	}
	if err := s.draw(g, t); err != nil {
		return nil, err
	}
	return a.created(t)
}

// redrawn fills self with random numbers.
func (a *Args) redrawn(s sampler) error {
	if err := s.draw(a.Generator("generator"), a.Self()); err != nil {
		return err
	}
	return nil
}

// noTangent returns the JVP of operators whose result does not depend on self.
func noTangent(c *JCtx) ([]*Tensor, error) {
	if len(c.outs) == 0 {
		return []*Tensor{zerosAs(c.args.Self(), c.args.Self().dtype)}, nil
	}
	return []*Tensor{zerosAs(c.outs[0], c.outs[0].dtype)}, nil
}

// bernoulliEach sets each element of t to 1 with the probability in the
// corresponding element of p, else to 0.
func bernoulliEach(g *random.Generator, t, p *Tensor) error {
	if !p.dtype.IsFloat() {
		return undefined("bernoulli_tensor_cpu_self_", p.dtype)
	}
	p = contiguous(p)
	each := func(draw func(p64 []float64, p32 []float32) error) error {
		if p.dtype == Float64 {
			return draw(elements[float64](p), nil)
		}
		return draw(nil, elements[float32](p))
	}
	s := sampler{
		f32: func(g *random.Generator, d []float32, _ bool) error {
			return each(func(p64 []float64, p32 []float32) error { return bernoulliBy(g, d, p64, p32) })
		},
		f64: func(g *random.Generator, d []float64, _ bool) error {
			return each(func(p64 []float64, p32 []float32) error { return bernoulliBy(g, d, p64, p32) })
		},
		i64: func(g *random.Generator, d []int64, _ bool) error {
			return each(func(p64 []float64, p32 []float32) error { return bernoulliBy(g, d, p64, p32) })
		},
		b: func(g *random.Generator, d []bool, _ bool) error {
			return each(func(p64 []float64, p32 []float32) error { return bernoulliBy(g, d, p64, p32) })
		},
	}
	if err := s.draw(g, t); err != nil {
		return err
	}
	return nil
}

func bernoulliBy[T random.Element](g *random.Generator, d []T, p64 []float64, p32 []float32) error {
	if p64 != nil {
		return random.BernoulliEach(g, d, p64)
	}
	return random.BernoulliEach(g, d, p32)
}

// normalAround draws normal numbers with tensors of means, deviations, or both.
// For nil it uses the number argument of that name.
func normalAround(a *Args, mean, std *Tensor) ([]*Tensor, error) {
	like := mean
	if like == nil {
		like = std
	}
	sizes := like.sizes
	if mean != nil && std != nil {
		var err *Error
		if sizes, err = broadcastSizes(mean.sizes, std.sizes); err != nil {
			return nil, err
		}
	}
	d := like.dtype
	if mean != nil && std != nil {
		d = resultType(mean, std)
	}
	if std != nil && minimum(std) < 0 {
		return nil, fail(RuntimeError, CodeArgument, "normal expects all elements of std >= 0.0")
	}
	out := alloc(d, sizes)
	s := normal(0, 1)
	if std == nil {
		s = normal(0, a.Float("std"))
	}
	if err := s.draw(a.Generator("generator"), out); err != nil {
		return nil, err
	}
	if std != nil {
		scale := alloc(d, sizes)
		copyData(scale, std)
		for i := range out.Numel() {
			out.setElement(i, times(out.element(i), scale.element(i)))
		}
	}
	shift := alloc(d, sizes)
	if mean != nil {
		copyData(shift, mean)
	} else {
		shift.fill(FloatScalar(a.Float("mean")))
	}
	for i := range out.Numel() {
		out.setElement(i, FloatScalar(out.float(i)+shift.float(i)))
	}
	return a.One(out)
}

// minimum returns the smallest element, or 0 if there is none.
func minimum(t *Tensor) float64 {
	least := 0.0
	t.eachFloat(func(x float64) { least = min(least, x) })
	return least
}

func multinomial(a *Args) ([]*Tensor, error) {
	t, samples := contiguous(a.Self()), a.Int("num_samples")
	switch {
	case t.Dim() < 1 || t.Dim() > 2:
		return nil, fail(RuntimeError, CodeShape, "prob_dist must be 1 or 2 dim")
	case !t.dtype.IsFloat():
		return nil, fail(RuntimeError, CodeDType, "multinomial only supports floating-point dtypes for input, got: %s", scalarTypeName(t.dtype))
	}
	categories := t.sizes[t.Dim()-1]
	sizes := replaced(t.sizes, t.Dim()-1, max(samples, 0))
	out := alloc(Int64, sizes)
	g, replacement := a.Generator("generator"), a.Bool("replacement")
	var err error
	if t.dtype == Float64 {
		err = random.Multinomial(g, out.st.other.i64, elements[float64](t), categories, samples, replacement)
	} else {
		err = random.Multinomial(g, out.st.other.i64, elements[float32](t), categories, samples, replacement)
	}
	if err != nil {
		return nil, fail(RuntimeError, CodeArgument, "%s", err.Error())
	}
	return a.One(out)
}
