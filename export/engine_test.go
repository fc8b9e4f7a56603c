package export_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/torchviztest"
)

// drawn is what a program hands to make_dot.
type drawn struct {
	roots  []*autograd.Tensor
	params map[string]*autograd.Tensor
}

type (
	tensors = []*autograd.Tensor
	named   = map[string]*autograd.Tensor
)

func ones(size ...int) *autograd.Tensor { return autograd.Ones(size, autograd.RequiresGrad) }

// engineRecordings are programs of testdata/torchviz/programs for the Go engine,
// line by line.
var engineRecordings = map[string]func() (drawn, error){
	"scalar": func() (drawn, error) {
		p := autograd.New([]float64{1}, autograd.RequiresGrad)
		w := p.Mul(10)
		return drawn{tensors{w.Pow(2)}, named{"p": p}}, nil
	},
	"vector": func() (drawn, error) {
		p := autograd.New([]float64{2, 2, 2, 2}, autograd.RequiresGrad)
		w := p.Pow(2)
		return drawn{tensors{p.Sub(w).Pow(2).Sum()}, named{"p": p}}, nil
	},
	"shared": func() (drawn, error) {
		a := ones(3)
		b := a.Mul(a)
		c := b.Exp().Add(b.Sigmoid())
		return drawn{tensors{c.Mul(b).Sum()}, named{"a": a}}, nil
	},
	"view": func() (drawn, error) {
		a := ones(2, 3)
		b := a.Mul(2)
		return drawn{tensors{b.Index(0)}, named{"a": a}}, nil
	},
	"inplace": func() (drawn, error) {
		a := ones(3)
		b := a.Mul(3)
		if err := b.Add_(1); err != nil {
			return drawn{}, err
		}
		if err := b.SetIndex(5, 0); err != nil {
			return drawn{}, err
		}
		return drawn{tensors{b.Sum()}, named{"a": a}}, nil
	},
	"mlp": func() (drawn, error) {
		if err := autograd.ManualSeed(0); err != nil {
			return drawn{}, err
		}
		model := nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
		root := model.Forward(autograd.Randn([]int{4, 8})).Mean()
		return drawn{tensors{root}, parameters(model)}, nil
	},
	"conv_net": func() (drawn, error) {
		if err := autograd.ManualSeed(0); err != nil {
			return drawn{}, err
		}
		model := nn.Sequential(
			nn.Conv2d(1, 2, 3, autograd.Kw("stride", 2), autograd.Kw("padding", 1)),
			nn.BatchNorm2d(2),
			nn.GELU(),
			nn.MaxPool2d(2),
			nn.Flatten(),
			nn.Linear(2, 3),
		)
		root := model.Forward(autograd.Randn([]int{2, 1, 4, 4})).CrossEntropy(autograd.New([]int64{0, 2}))
		return drawn{tensors{root}, parameters(model)}, nil
	},
	"lstm_by_hand": func() (drawn, error) {
		h, c, params, err := unrolledLSTM(2)
		return drawn{tensors{h, c}, params}, err
	},
	"inplace_chain": func() (drawn, error) {
		a := ones(2, 3)
		b := a.Clone()
		all := autograd.Slice{}
		for _, step := range []func() error{
			func() error { return b.Add_(1) },
			func() error { return b.Index(0).Mul_(3) },
			func() error { return b.SetIndex(a.Index(all, 0), all, 1) },
			func() error { return b.Exp_() },
		} {
			if err := step(); err != nil {
				return drawn{}, err
			}
		}
		return drawn{tensors{b.Sum()}, named{"a": a}}, nil
	},
	"leaf": func() (drawn, error) {
		root := ones()
		return drawn{tensors{root}, named{"root": root}}, nil
	},
	"no_grad_fn": func() (drawn, error) {
		root := autograd.Ones([]int{2, 3})
		return drawn{tensors{root}, named{"root": root}}, nil
	},
	"saved_root": func() (drawn, error) {
		a := ones(2)
		h := a.Mul(3)
		return drawn{tensors{h.Mul(h).Sum(), h}, named{"a": a, "h": h}}, nil
	},
	"shared_saved": func() (drawn, error) {
		w := ones(3)
		h := w.Mul(2)
		return drawn{tensors{h.Mul(w).Mul(h).Add(h.Pow(3).Mul(w)).Sum()}, named{"w": w}}, nil
	},
	"tuple_outputs": func() (drawn, error) {
		a, b := ones(3), ones(3)
		h := a.Exp()
		return drawn{tensors{h, h.Mul(b).Sum(), b.Tanh(), a}, named{"a": a, "b": b, "h": h}}, nil
	},
	"view_bases": func() (drawn, error) {
		b := ones(4).Mul(2)
		return drawn{tensors{b.Index(autograd.Slice{Stop: 2}), b, b.Index(autograd.Slice{Start: 2})}, named{"b": b}}, nil
	},
	"view_of_leaf": func() (drawn, error) {
		a := ones(2, 3)
		return drawn{tensors{a.View([]int{-1}).Index(autograd.Slice{Start: 2}), a}, named{"a": a}}, nil
	},
	"view_of_view": func() (drawn, error) {
		a := ones(2, 3, 4)
		part := a.Exp().Index(0).Transpose(0, 1).Index(autograd.Slice{Start: 1, Stop: 3})
		return drawn{tensors{part.Reshape([]int{-1}).Unsqueeze(0)}, named{"a": a}}, nil
	},
	"view_without_grad": func() (drawn, error) {
		a := ones(2, 3)
		var v *autograd.Tensor
		autograd.NoGrad(func() { v = a.Mul(2).Index(0) })
		return drawn{tensors{v, a.Detach(), a.Index(1)}, named{"a": a, "v": v}}, nil
	},
	"double_backward": func() (drawn, error) {
		a := autograd.New([]float64{2}, autograd.RequiresGrad)
		y := a.Pow(3).Exp()
		gs, err := autograd.Grad(tensors{y}, tensors{a}, autograd.Kw("create_graph", true))
		if err != nil {
			return drawn{}, err
		}
		return drawn{tensors{gs[0], gs[0].Pow(2)}, named{"a": a, "y": y}}, nil
	},
	"deep_chain": func() (drawn, error) {
		a := ones(1)
		root := a
		for range 3000 {
			root = root.Neg()
		}
		return drawn{tensors{root}, named{"a": a}}, nil
	},
	"custom_function": func() (drawn, error) {
		scale := &autograd.Function{
			Name: "Scale",
			Forward: func(ctx *autograd.FunctionCtx, in []*autograd.Tensor) ([]*autograd.Tensor, error) {
				y := in[0].Sigmoid()
				ctx.SaveForBackward(in[0], in[1], y)
				return tensors{y.Mul(in[1]).Mul(ctx.Arg(2))}, nil
			},
			Backward: func(ctx *autograd.FunctionCtx, g []*autograd.Tensor) ([]*autograd.Tensor, error) {
				saved, err := ctx.Saved()
				if err != nil {
					return nil, err
				}
				return tensors{g[0].Mul(saved[1]), g[0].Mul(saved[2]), nil}, nil
			},
		}
		x, w := ones(2, 3), ones(3)
		return drawn{tensors{scale.Call(x.Mul(2), w, 1.5).Sum()}, named{"x": x, "w": w}}, nil
	},
}

func parameters(m *nn.Module) named {
	params := named{}
	for _, p := range m.NamedParameters() {
		params[p.Name] = p.Value
	}
	return params
}

// unrolledLSTM runs an LSTM cell from basic operators.
func unrolledLSTM(steps int) (h, c *autograd.Tensor, params named, err error) {
	wx, wh := autograd.Randn([]int{4, 12}, autograd.RequiresGrad), autograd.Randn([]int{3, 12}, autograd.RequiresGrad)
	b := autograd.Zeros([]int{12}, autograd.RequiresGrad)
	h = autograd.Zeros([]int{2, 3})
	c = h
	for range steps {
		gates, err := autograd.Ones([]int{2, 4}).Matmul(wx).Add(h.Matmul(wh)).Add(b).Chunk(4, autograd.Dim(1))
		if err != nil {
			return nil, nil, nil, err
		}
		i, f, g, o := gates[0], gates[1], gates[2], gates[3]
		c = f.Sigmoid().Mul(c).Add(i.Sigmoid().Mul(g.Tanh()))
		h = o.Sigmoid().Mul(c.Tanh())
	}
	return h, c, named{"wx": wx, "wh": wh, "b": b}, nil
}

// record runs a program of the Go engine. The options select what it draws.
func record(t testing.TB, program func() (drawn, error)) (*graph.Graph, export.Options) {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	d, err := program()
	mark := func(name string, x *autograd.Tensor) {
		if x.Err() != nil {
			t.Fatal(name, x.Err())
		}
		x.SetName(name)
	}
	for name, p := range d.params {
		mark("parameter "+name, p)
	}
	for i, r := range d.roots {
		mark(fmt.Sprint("root ", i), r)
	}
	stop()
	if err != nil {
		t.Fatal(err)
	}
	g := folded(t, tape)
	opts := export.Options{Names: map[graph.TensorID]string{}}
	for name := range d.params {
		id, _ := g.Lookup("parameter " + name)
		opts.Names[id] = name
	}
	for i := range d.roots {
		id, _ := g.Lookup(fmt.Sprint("root ", i))
		opts.Roots = append(opts.Roots, id)
	}
	return g, opts
}

func TestTheEngineDrawsWhatTorchvizDrawsOfPyTorch(t *testing.T) {
	compared := map[string]bool{}
	for _, r := range recordings(t) {
		program := engineRecordings[r.name]
		if program == nil {
			continue
		}
		g, opts := record(t, program)
		for mode, want := range r.dots {
			t.Run(r.name+"/"+mode, func(t *testing.T) {
				m := modes[mode]
				m.Roots, m.Names = opts.Roots, opts.Names
				got, _ := write(t, g, export.DOT, m)
				if diff := cmp.Diff(want, torchviztest.Renamed(got)); diff != "" {
					t.Error(diff)
				}
			})
		}
		compared[r.name] = true
	}
	if len(compared) != len(engineRecordings) {
		t.Errorf("%d of %d programs have a recording", len(compared), len(engineRecordings))
	}
}
