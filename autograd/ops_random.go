package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/random"
)

// randomOps draw random numbers. They give the same numbers as PyTorch's CPU
// generator; package random has the rules.
var randomOps = []Op{
	{
		Schema: "rand(int[] size, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawn(a.Ints("size"), defaultDType, uniform(0, 1)) },
	},
	{
		Schema: "randn(int[] size, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawn(a.Ints("size"), defaultDType, normal(0, 1)) },
	},
	{
		Schema: "rand_like(Tensor self, *, ScalarType? dtype=None, str? device=None, str? memory_format=None, bool requires_grad=False) -> Tensor", In: Torch, Go: "RandLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawnLike(uniform(0, 1)) },
	},
	{
		Schema: "randn_like(Tensor self, *, ScalarType? dtype=None, str? device=None, str? memory_format=None, bool requires_grad=False) -> Tensor", In: Torch, Go: "RandnLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawnLike(normal(0, 1)) },
	},
	{
		Schema: "randint(int high, int[] size, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor", Go: "RandintBelow",
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawn(a.Ints("size"), Int64, integers(0, a.Int("high"))) },
	},
	{
		Schema: "randint.low(int low, int high, int[] size, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.drawn(a.Ints("size"), Int64, integers(a.Int("low"), a.Int("high")))
		},
	},
	{
		Schema: "randint_like(Tensor self, int high, *, ScalarType? dtype=None, str? device=None, str? memory_format=None, bool requires_grad=False) -> Tensor", In: Torch, Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawnLike(integers(0, a.Int("high"))) },
	},
	{
		Schema: "randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None, str? device=None, str? memory_format=None, bool requires_grad=False) -> Tensor", In: Torch, Go: "RandintLike",
		Forward: func(a *Args) ([]*Tensor, error) { return a.drawnLike(integers(a.Int("low"), a.Int("high"))) },
	},
	{
		Schema: "randperm(int n, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.drawn([]int{a.Int("n")}, Int64, permutationDraw)
		},
	},
	{
		Schema: "normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: "NormalBackward1", Attrs: "mean_sym_sizes", JVP: noTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return normalAround(a, a.Tensor("mean"), nil) },
		VJP:     []Formula{{Input: "mean", Of: func(c *Ctx) *Tensor { return atZeros(c.Grad().dtype, c.Shape("mean")) }}},
	},
	{
		Schema: "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: "NormalBackward2", Attrs: "std_sym_sizes", JVP: noTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return normalAround(a, nil, a.Tensor("std")) },
		VJP:     []Formula{{Input: "std", Of: func(c *Ctx) *Tensor { return atZeros(c.Grad().dtype, c.Shape("std")) }}},
	},
	{
		Schema: "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: "NormalBackward3", Attrs: "mean_sym_sizes std_sym_sizes", JVP: noTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return normalAround(a, a.Tensor("mean"), a.Tensor("std")) },
		VJP: []Formula{
			{Input: "mean", Of: func(c *Ctx) *Tensor { return atZeros(c.Grad().dtype, c.Shape("mean")) }},
			{Input: "std", Of: func(c *Ctx) *Tensor { return atZeros(c.Grad().dtype, c.Shape("std")) }},
		},
	},
	{
		Schema: "normal.float_float(float mean, float std, int[] size, *, Generator? generator=None, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor", In: Torch, Go: "Normal",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.drawn(a.Ints("size"), defaultDType, normal(a.Float("mean"), a.Float("std")))
		},
	},
	{
		Schema: "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", Node: "BernoulliBackward0", JVP: noTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			out := alloc(a.Self().dtype, a.Self().sizes)
			if err := bernoulliEach(a.Generator("generator"), out, a.Self()); err != nil {
				return nil, err
			}
			return a.One(out)
		},
		VJP: []Formula{{Input: "self", Of: zeroGrad}},
	},
	{
		Schema:   "multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
		OutDType: multinomialDType,
		Forward:  multinomial,
	},
	{
		Schema: "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			out := alloc(a.Self().dtype, a.Self().sizes)
			return a.One(mutated(out, func(t *Tensor) error {
				return t.Bernoulli_(Kw("p", a.Float("p")), Kw("generator", a.Generator("generator")))
			}))
		},
	},
	{
		Schema: "uniform_(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "UniformBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error { return a.redrawn(uniform(a.Float("from"), a.Float("to"))) },
	},
	{
		Schema: "normal_(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "NormalBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error { return a.redrawn(normal(a.Float("mean"), a.Float("std"))) },
	},
	{
		Schema: "random_.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor", In: Method, Go: "-",
		Node: "RandomBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error {
			if !a.Has("to") {
				return a.redrawn(integers(a.Int("from"), math.MaxInt64))
			}
			return a.redrawn(integers(a.Int("from"), a.Int("to")))
		},
	},
	{
		Schema: "random_.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", In: Method, Go: "-",
		Node: "RandomBackward1", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error { return a.redrawn(integers(0, a.Int("to"))) },
	},
	{
		Schema: "random_(Tensor self, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "RandomBackward2", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error { return a.redrawn(anyInteger) },
	},
	{
		Schema: "bernoulli_.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", In: Method, Go: "-",
		Node: "BernoulliBackward1", JVP: noTangent,
		Mutate: func(a *Args) error {
			t, p := a.Self(), a.Tensor("p")
			if !p.dtype.IsFloat() {
				return undefined("bernoulli_tensor_cpu_p_", p.dtype)
			}
			if !expandable(p.sizes, t.sizes) {
				return fail(RuntimeError, CodeShape, "The expanded size of the tensor must match the existing size")
			}
			wide := alloc(p.dtype, t.sizes)
			copyData(wide, p)
			return bernoulliEach(a.Generator("generator"), t, wide)
		},
		VJP: []Formula{
			{Input: "self", Of: zeroGrad},
			{Input: "p", Of: func(c *Ctx) *Tensor { return alloc(c.DTypeOf("p"), c.Shape("p")) }},
		},
	},
	{
		Schema: "bernoulli_.float(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "BernoulliBackward2", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error { return a.redrawn(coins(a.Float("p"))) },
	},
	{
		Schema: "exponential_(Tensor self, float lambd=1, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "ExponentialBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error {
			rate := a.Float("lambd")
			return a.redrawn(sampler{
				name: "exponential",
				f32:  func(g *random.Generator, d []float32, _ bool) error { return random.Exponential(g, d, rate) },
				f64:  func(g *random.Generator, d []float64, _ bool) error { return random.Exponential(g, d, rate) },
			})
		},
	},
	{
		Schema: "cauchy_(Tensor self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "CauchyBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error {
			m, s := a.Float("median"), a.Float("sigma")
			return a.redrawn(sampler{
				name: "cauchy",
				f32:  func(g *random.Generator, d []float32, _ bool) error { return random.Cauchy(g, d, m, s) },
				f64:  func(g *random.Generator, d []float64, _ bool) error { return random.Cauchy(g, d, m, s) },
			})
		},
	},
	{
		Schema: "log_normal_(Tensor self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "LogNormalBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error {
			m, s := a.Float("mean"), a.Float("std")
			return a.redrawn(sampler{
				name: "log_normal",
				f32:  func(g *random.Generator, d []float32, _ bool) error { return random.LogNormal(g, d, m, s) },
				f64:  func(g *random.Generator, d []float64, _ bool) error { return random.LogNormal(g, d, m, s) },
			})
		},
	},
	{
		Schema: "geometric_(Tensor self, float p, *, Generator? generator=None) -> Tensor", In: Method,
		Node: "GeometricBackward0", JVP: noTangent, VJP: []Formula{{Input: "self", Of: zeroGrad}},
		Mutate: func(a *Args) error {
			p := a.Float("p")
			return a.redrawn(sampler{
				name: "geometric",
				f32:  func(g *random.Generator, d []float32, _ bool) error { return random.Geometric(g, d, p) },
				f64:  func(g *random.Generator, d []float64, _ bool) error { return random.Geometric(g, d, p) },
				i64:  func(g *random.Generator, d []int64, _ bool) error { return random.Geometric(g, d, p) },
			})
		},
	},
}
