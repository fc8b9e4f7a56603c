package gosource_test

import (
	"errors"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

type tensor = autograd.Tensor

type layer struct{ weight, bias *tensor }

func number(v float64) *tensor { return autograd.New(v, autograd.RequiresGrad) }

func square(x *tensor) *tensor { return x.Mul(x) }

func squareByVariable(x *tensor) *tensor {
	sum := x.Add(x)
	out := x.Mul(x)
	_ = out.Sub(sum)
	return out
}

func squareOrNot(x *tensor, yes bool) *tensor {
	out := x
	if yes {
		out = x.Mul(x)
	}
	_ = x.Neg()
	return out
}

func twoReturns(x *tensor, square bool) *tensor {
	if square {
		return x.Mul(x)
	}
	return x.Neg()
}

func withError(x *tensor, fail bool) (*tensor, error) {
	if fail {
		return nil, errors.New("no")
	}
	return x.Mul(x), nil
}

func both(x *tensor) (*tensor, *tensor) { return x.Neg(), x.Mul(x) }

func nested(x *tensor) *tensor { return square(x.Add(x)) }

func deferred(x *tensor) (y *tensor) {
	defer func() { y = x.Neg() }()
	return x.Mul(x)
}

func generic[T any](x *tensor, _ T) *tensor { return x.Mul(x) }

func (l *layer) Forward(x *tensor) *tensor {
	return x.Mul(l.weight).Add(l.bias)
}

func apply(f func(*tensor) *tensor, x *tensor) *tensor { return f(x) }

// programs are what tensors are called in small programs, in the order in which
// the names are given: NAME=VALUE, the value telling tensors apart.
var programs = []struct {
	name string
	run  func()
	want string
}{
	{"an operator", func() {
		x := number(3)
		y := x.Mul(x)
		_ = y
	}, "x=3 y=9"},
	{"a declaration", func() {
		x := number(3)
		var y, z = x.Mul(x), x.Neg()
		_, _ = y, z
	}, "x=3 y=9 z=-3"},
	{"an assignment", func() {
		var x *tensor
		x = number(3)
		x = x.Mul(x)
		_ = x
	}, "x=3 x=9"},
	{"the last call of a chain", func() {
		x := number(3)
		y := x.Mul(x).Neg().Exp().Log()
		_ = y
	}, "x=3 y=-9"},
	{"a chain over several lines", func() {
		x := number(3)
		y := x.
			Mul(x).
			Mul(x).
			Neg()
		_ = y
	}, "x=3 y=-27"},
	{"a chain with one operator twice", func() {
		x := number(3)
		y := x.Mul(x).Mul(x)
		_ = y
	}, "x=3 y=27"},
	{"an operator of operators", func() {
		x := autograd.New([][]float64{{1, 2}})
		y := x.Linear(autograd.New([][]float64{{3, 4}}))
		z := x.Linear(x)
		_, _ = y, z
	}, "x=1 z=5"},
	{"a matrix product", func() {
		x := autograd.New([][]float64{{1, 2}})
		y := x.Matmul(x.T()).Exp().Log()
		z := x.CrossEntropy(x)
		_, _ = y, z
	}, "x=1 y=5 z=1.939785"},
	{"several results", func() {
		x := autograd.New([][]float64{{1, 2}})
		values, indices := x.MaxDim(1)
		_, order := x.Sort()
		_, _, _ = values, indices, order
	}, "x=1 values=2 indices=1 order=0"},
	{"a list of results is not a tensor", func() {
		x := autograd.New([]float64{1, 2})
		parts, err := x.Split(1)
		whole, err2 := x.Split(2)
		_, _, _, _ = parts, whole, err, err2
	}, "x=1"},
	{"an error is not a tensor", func() {
		x := autograd.New(1.0)
		err := x.Add_(1)
		y := number(2)
		err2 := y.Mul(y).Backward()
		_, _ = err, err2
	}, "x=1 y=2"},
	{"a field and an element", func() {
		var l layer
		layers := make([]layer, 3)
		named := map[string]*tensor{}
		at := 1
		l.weight = number(1)
		layers[2].weight = number(2)
		layers[at].bias = number(3)
		layers[at+1].bias = number(4)
		named["w"] = number(5)
		at2 := &at
		layers[*at2].bias = number(6)
	}, `l.weight=1 layers[2].weight=2 layers[at].bias=3 named["w"]=5`},
	{"a name that the program gives", func() {
		x := autograd.New(1.0).SetName("first")
		y := x.Neg()
		y.SetName("second")
		z := y.Exp()
		_ = z
	}, "first=1 second=-1 z=0.36787945"},
	{"the blank name", func() {
		_ = number(1).Neg()
	}, ""},
	{"a loop", func() {
		x := number(2)
		for range 3 {
			x = x.Mul(x)
		}
		for i := 0; i < 2; i++ {
			x = x.Sqrt()
			x = x.Neg().Neg()
		}
	}, "x=2 x=4 x=16 x=256 x=16 x=16 x=4 x=4"},
	{"a loop over tensors", func() {
		for _, v := range []float64{1, 2} {
			x := number(v)
			y := x.Neg()
			_ = y
		}
	}, "x=1 y=-1 x=2 y=-2"},
	{"shadowing", func() {
		x := number(1)
		if x := x.Neg(); x != nil {
			x := x.Exp()
			_ = x
		}
		y := x.Neg()
		_ = y
	}, "x=1 x=-1 x=0.36787945 y=-1"},
	{"a closure", func() {
		x := number(2)
		var y *tensor
		f := func() {
			y = x.Neg()
		}
		f()
		g := func(x *tensor) *tensor { return x.Exp() }
		z := g(y)
		w := apply(g, y)
		_, _ = z, w
	}, "x=2 y=-2"},
	{"functions", func() {
		x := number(3)
		a := square(x)
		b := squareByVariable(x)
		c := squareByVariable(x).Neg()
		d := nested(x)
		e := generic(x, "")
		f := square(square(x))
		_, _, _, _, _, _ = a, b, c, d, e, f
	}, "x=3 a=9 sum=6 out=9 b=9 sum=6 out=9 c=-9 d=36 e=9"},
	{"functions that do not tell", func() {
		x := number(3)
		a := squareOrNot(x, false)
		b := squareOrNot(x, true)
		c := deferred(x)
		_, _, _ = a, b, c
	}, "x=3 out=9 y=-3"},
	{"a function with two return statements", func() {
		x := number(3)
		a := twoReturns(x, true)
		b := twoReturns(x, false)
		_, _ = a, b
	}, "x=3 a=9 b=-3"},
	{"a function called again from its line", func() {
		x := number(2)
		for range 2 {
			x = square(x)
		}
		for range 2 {
			x = squareByVariable(x)
		}
	}, "x=2 x=4 x=16 sum=32 out=256 sum=512 x=256 out=65536 x=65536"},
	{"functions with several results", func() {
		x := number(3)
		a, err := withError(x, false)
		b, err2 := withError(x, true)
		c, d := both(x)
		_, _, _, _, _, _ = a, b, c, d, err, err2
	}, "x=3 a=9 c=-3 d=9"},
	{"a method", func() {
		l := &layer{number(2), number(1)}
		y := l.Forward(number(3))
		_ = y
	}, "y=7"},
	{"modules", func() {
		autograd.ManualSeed(0)
		double := nn.New("Double", func(x ...*tensor) *tensor { return x[0].Add(x[0]) })
		quiet := nn.New("Quiet", func(x ...*tensor) *tensor {
			y := x[0].Neg()
			_ = y
			return x[0]
		})
		net := nn.Sequential(nn.ReLU(), double)
		x := number(3)
		a := nn.ReLU().Forward(x)
		b := net.Forward(x)
		c := quiet.Forward(x)
		far := number(-3)
		d := nn.MSELoss().Forward(x, far)
		relu := nn.ReLU()
		e := relu.Forward(x.Neg())
		_, _, _, _, _ = a, b, c, d, e
	}, "x=3 a=3 b=6 y=-3 far=-3 d=36 e=0"},
	{"a module is not a tensor", func() {
		linear := nn.Linear(1, 1, nn.NoBias)
		table := nn.Embedding(2, 1)
		w := autograd.New([]float64{2})
		x := w.Linear(w)
		_, _, _ = linear, table, x
	}, "w=2 x=4"},
	{"modules in one expression", func() {
		double := nn.New("Double", func(x ...*tensor) *tensor { return x[0].Add(x[0]) })
		x := number(3)
		far := number(-3)
		relu, mse := nn.ReLU(), nn.MSELoss()
		a := mse.Forward(double.Forward(x), far)
		b := relu.Forward(relu.Forward(x))
		c := mse.Forward(relu.Forward(x).Exp().Log(), relu.Forward(far))
		for range 2 {
			d := mse.Forward(double.Forward(x), far)
			_ = d
			x = x.Neg()
		}
		_, _, _ = a, b, c
	}, "x=3 far=-3 a=81 b=3 c=9 d=81 x=-3 d=9 x=3"},
	{"modules in one expression that say nothing", func() {
		second := nn.New("Second", func(x ...*tensor) *tensor { return x[1] })
		identity := nn.New("Identity", func(x ...*tensor) *tensor { return x[0] })
		x := number(3)
		far := number(-3)
		l := &layer{x, x}
		relu := nn.ReLU()
		a := second.Forward(relu.Forward(x), far)
		b := identity.Forward(relu.Forward(x))
		c := l.Forward(relu.Forward(x))
		if d := relu.Forward(relu.Forward(x)); relu.Forward(far) == d {
			return
		}
		_, _, _ = a, b, c
	}, "x=3 far=-3"},
	{"a function with a derivative of its own", func() {
		double := &autograd.Function{
			Name: "Double",
			Forward: func(_ *autograd.FunctionCtx, in []*tensor) ([]*tensor, error) {
				out := in[0].Add(in[0])
				in[0].Neg()
				return []*tensor{out}, nil
			},
		}
		x := number(3)
		y := double.Call(x)
		_ = y
	}, "x=3 out=6 y=6"},
	{"what fails has no name", func() {
		x := autograd.New([]float64{1, 2})
		wrong := autograd.New([]float64{1, 2, 3})
		a := x.Neg().Mul(x).Mul(wrong)
		b := square(x).Mul(wrong)
		net := nn.Sequential(nn.ReLU(), nn.Linear(3, 1))
		c := net.Forward(x)
		d := x.CrossEntropy(wrong)
		relu := nn.ReLU()
		for _, first := range []*nn.Module{net, relu} {
			e := net.Forward(first.Forward(x))
			f := net.Forward(relu.Forward(x))
			_, _ = e, f
		}
		_, _, _, _ = a, b, c, d
	}, "x=1 wrong=1 1.weight=0 1.bias=0"},
	{"backward and gradients", func() {
		x := number(3)
		loss := x.Mul(x)
		err := loss.Backward(autograd.RetainGraph)
		grad := x.Grad()
		grads, err2 := autograd.Grad([]*tensor{x.Exp()}, []*tensor{x})
		_, _, _, _ = grad, grads, err, err2
	}, "x=3 loss=9"},
}
