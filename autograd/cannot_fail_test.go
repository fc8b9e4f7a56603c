package autograd

import (
	"testing"
)

// passIsCertain reports whether the engine considered backward from root
// certain.
func passIsCertain(root *Tensor, opts ...Option) (certain bool, err error) {
	err = BackwardAll([]*Tensor{root}, nil, append(opts, WhenCertain(func() { certain = true }))...)
	return certain, err
}

// TestPassesThatAreCertainSucceed runs backward of the samples of all
// operators, in several dtypes, and again without the saved tensors.
func TestPassesThatAreCertainSucceed(t *testing.T) {
	defer quiet()()
	seen := map[string]bool{}
	for _, o := range Ops() {
		if o.Compose == nil && o.Node == "" {
			continue
		}
		eachSample(t, o, func(s *opSample) {
			for _, d := range []DType{Float64, Float32, Float16} {
				in := s.inputs()
				for i := range in {
					in[i] = in[i].Detach().To(d).RequiresGrad_(true)
				}
				for _, out := range differentiableOf(s.function()(in)) {
					if out.err != nil {
						continue
					}
					node, root := out.gradFn, out.Sum()
					for range 2 {
						certain, err := passIsCertain(root)
						if certain && err != nil {
							t.Errorf("%s: backward was certain and failed: %v", s, err)
						}
						if certain && node != nil && node.op != nil {
							seen[node.op.Node] = true
						}
					}
				}
			}
		})
	}
	for _, o := range table {
		if o.Certain && !seen[o.Node] {
			t.Errorf("no pass with %s is certain", o.Node)
		}
	}
}

// TestPassesAreNotCertain runs passes that may fail or that call the program.
func TestPassesAreNotCertain(t *testing.T) {
	same := func(g *Tensor) *Tensor { return nil }
	leaf := func() *Tensor { return Ones([]int{2}).RequiresGrad_(true) }
	for name, c := range map[string]func(x, y *Tensor) []Option{
		"create_graph": func(x, y *Tensor) []Option { return []Option{CreateGraph} },
		"inputs":       func(x, y *Tensor) []Option { return []Option{Inputs(x)} },
		"a hook on the leaf": func(x, y *Tensor) []Option {
			x.RegisterHook(same)
			return nil
		},
		"a hook on a result": func(x, y *Tensor) []Option {
			y.RegisterHook(same)
			return nil
		},
		"a hook after accumulation": func(x, y *Tensor) []Option {
			x.RegisterPostAccumulateGradHook(func(*Tensor) {})
			return nil
		},
		"a hook before a node": func(x, y *Tensor) []Option {
			y.gradFn.RegisterPrehook(func(g []*Tensor) []*Tensor { return nil })
			return nil
		},
		"a hook after a node": func(x, y *Tensor) []Option {
			y.gradFn.RegisterHook(func(in, out []*Tensor) []*Tensor { return nil })
			return nil
		},
		"a gradient that is retained": func(x, y *Tensor) []Option {
			y.RetainGrad()
			return nil
		},
		"a gradient that is watched": func(x, y *Tensor) []Option {
			y.WatchGrad()
			return nil
		},
		"a saved tensor that was changed": func(x, y *Tensor) []Option {
			x.Detach().Mul_(2)
			return nil
		},
		"what was freed": func(x, y *Tensor) []Option {
			y.Sum().Backward()
			return nil
		},
		"a gradient of another layout": func(x, y *Tensor) []Option {
			x.SetGrad(Ones([]int{2, 2}).Select(1, 0))
			return nil
		},
		"a gradient that all elements share": func(x, y *Tensor) []Option {
			x.SetGrad(Ones([]int{1}).Expand([]int{2}))
			return nil
		},
		"a gradient that requires grad": func(x, y *Tensor) []Option {
			x.SetGrad(leaf())
			return nil
		},
		"a leaf that is one no more": func(x, y *Tensor) []Option {
			NoGrad(func() { x.Detach_() })
			x.RequiresGrad_(true)
			x.gradFn = y.gradFn
			return nil
		},
	} {
		x := leaf()
		y := x.Mul(x)
		opts := c(x, y)
		if certain, err := passIsCertain(y.Sum(), opts...); certain {
			t.Errorf("with %s backward was certain (%v)", name, err)
		}
	}
	for name, root := range map[string]func(x *Tensor) *Tensor{
		"a Function": func(x *Tensor) *Tensor {
			f := Function{
				Forward:  func(_ *FunctionCtx, in []*Tensor) ([]*Tensor, error) { return []*Tensor{in[0].Mul(2)}, nil },
				Backward: func(_ *FunctionCtx, g []*Tensor) ([]*Tensor, error) { return g, nil },
			}
			out, err := f.Apply(x)
			if err != nil {
				t.Fatal(err)
			}
			return out[0]
		},
		"an operator whose derivative is not implemented": func(x *Tensor) *Tensor { return x.Nextafter(x) },
		"a view that was changed in place": func(x *Tensor) *Tensor {
			y := x.Mul(1)
			y.Select(0, 0).Mul_(2)
			return y
		},
		"much memory": func(x *Tensor) *Tensor { return x.Expand([]int{largestCertain, 2}) },
		"hooks on saved tensors": func(x *Tensor) *Tensor {
			keep := func(v *Tensor) (any, error) { return v, nil }
			if err := PushSavedTensorHooks(SavedTensorHooks{Pack: keep, Unpack: func(v any) (*Tensor, error) { return v.(*Tensor), nil }}); err != nil {
				t.Fatal(err)
			}
			defer PopSavedTensorHooks()
			return x.Mul(x)
		},
	} {
		if certain, err := passIsCertain(root(leaf()).Mean()); certain {
			t.Errorf("with %s backward was certain (%v)", name, err)
		}
	}
}

func TestNoPassIsCertainInAnomalyModeOrInAnother(t *testing.T) {
	SetDetectAnomaly(true, true)
	certain, err := passIsCertain(Ones(nil).RequiresGrad_(true).Mul(2))
	SetDetectAnomaly(false, true)
	if certain {
		t.Errorf("in anomaly mode backward was certain (%v)", err)
	}
	outer := Ones(nil).RequiresGrad_(true)
	outer.RegisterHook(func(*Tensor) *Tensor {
		EnableGrad(func() { certain, err = passIsCertain(Ones(nil).RequiresGrad_(true).Mul(2)) })
		return nil
	})
	if outer.Mul(2).Backward(); certain || err != nil {
		t.Errorf("inside another pass backward was certain: %v (%v)", certain, err)
	}
}
