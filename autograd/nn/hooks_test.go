package nn_test

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

type tensors = []*autograd.Tensor

// graph returns the graph below a tensor.
func graph(y *autograd.Tensor) string { return tree(must(y.GradFn())) }

func init() {
	programs["forward_hooks"] = func() any {
		var log list
		m := linear()
		first := m.RegisterForwardPreHook(func(_ *nn.Module, args tensors) tensors {
			log = append(log, list{"pre", args[0]})
			return tensors{args[0].Mul(2)}
		})
		m.RegisterForwardHook(func(_ *nn.Module, _, outs tensors) tensors { return tensors{outs[0].Add(1)} })
		m.RegisterForwardHook(func(_ *nn.Module, args, outs tensors) tensors {
			log = append(log, list{"after", args[0], outs[0]})
			return nil
		})
		x := row(1, 1)
		out := tensors{m.Forward(x)}
		first.Remove()
		out = append(out, m.Forward(x))
		return list{log, out}
	}
	programs["full_backward_hook"] = func() any {
		var log list
		m := linear()
		m.RegisterFullBackwardHook(func(m *nn.Module, in, out tensors) tensors {
			log = append(log, list{m.Class(), in, out})
			return nil
		})
		x := row(1, -1)
		y := m.Forward(x)
		shape := graph(y)
		do(y.Sum().Backward())
		return list{shape, log, x.Grad(), m.Param("weight").Grad()}
	}
	programs["full_backward_hook_replaces_the_gradient"] = func() any {
		m := linear()
		m.RegisterFullBackwardHook(func(_ *nn.Module, in, _ tensors) tensors { return tensors{in[0].Mul(10)} })
		m.RegisterFullBackwardHook(func(_ *nn.Module, in, _ tensors) tensors { return tensors{in[0].Add(1)} })
		m.RegisterFullBackwardPreHook(func(_ *nn.Module, out tensors) tensors { return tensors{out[0].Mul(2)} })
		x := row(1, -1)
		do(m.Forward(x).Sum().Backward())
		return list{x.Grad(), m.Param("weight").Grad(), m.Param("bias").Grad()}
	}
	programs["full_backward_hook_without_input_gradients"] = func() any {
		var log list
		m := linear()
		m.RegisterFullBackwardHook(logGradients(&log))
		y := m.Forward(autograd.Ones([]int{1, 2}))
		shape := graph(y)
		do(y.Sum().Backward())
		return list{shape, log}
	}
	programs["full_backward_hook_with_the_wrong_number_of_gradients"] = func() any {
		m, n, p := linear(), linear(), linear()
		m.RegisterFullBackwardHook(func(_ *nn.Module, in, _ tensors) tensors { return tensors{in[0], in[0]} })
		n.RegisterFullBackwardPreHook(func(_ *nn.Module, out tensors) tensors { return tensors{out[0], out[0]} })
		p.RegisterFullBackwardHook(func(_ *nn.Module, _, out tensors) tensors { return tensors{out[0]} })
		return list{
			m.Forward(row(1, 1)).Sum().Backward(), n.Forward(row(1, 1)).Sum().Backward(),
			p.Forward(autograd.Ones([]int{1, 2})).Sum().Backward(),
		}
	}
	programs["in_place_after_a_full_backward_hook"] = func() any {
		m, relu := linear(), nn.ReLU(autograd.Kw("inplace", true))
		for _, m := range []*nn.Module{m, relu} {
			m.RegisterFullBackwardHook(func(*nn.Module, tensors, tensors) tensors { return nil })
		}
		y := m.Forward(row(1, 1))
		return list{y.Add_(1), relu.Forward(row(1, 1).Mul(2)).Err()}
	}
	programs["hooks_without_grad_mode"] = func() any {
		var log list
		m := linear()
		m.RegisterFullBackwardHook(logGradients(&log))
		var y *autograd.Tensor
		autograd.NoGrad(func() { y = m.Forward(row(1, 1)) })
		return list{y, log}
	}
}

// logGradients returns a hook that records its gradients.
func logGradients(log *list) func(_ *nn.Module, in, out tensors) tensors {
	return func(_ *nn.Module, in, out tensors) tensors {
		*log = append(*log, list{in, out})
		return nil
	}
}
