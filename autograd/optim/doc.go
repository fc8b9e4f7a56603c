// Package optim holds optimizers with the semantics of torch.optim in PyTorch
// 2.6: the same operations in the same order, so that parameters, state and
// version counters are equal to PyTorch's to the last bit.
//
//	sgd, err := optim.NewSGD(net.Parameters(), optim.LR(0.1), optim.Momentum(0.9))
//	if err != nil {
//		return err
//	}
//	for range epochs {
//		if err := sgd.ZeroGrad(); err != nil {
//			return err
//		}
//		if err := loss(net).Backward(); err != nil {
//			return err
//		}
//		if err := sgd.Step(); err != nil {
//			return err
//		}
//	}
//
// Settings are options of package autograd, such as [LR]. Settings without a
// function are given by name: autograd.Kw("maximize", true). Parameters with
// their own settings form a [Group]:
//
//	adam, err := optim.New("Adam", []optim.Group{
//		{Params: body.Parameters()},
//		{Params: head.Parameters(), Settings: []autograd.Option{optim.LR(0.1)}},
//	}, optim.LR(0.001))
//
// PyTorch's other implementations of a step (foreach, fused, capturable,
// differentiable) are not supported. Their settings exist and are printed, but
// cannot be turned on.
//
// # How it is built
//
// An optimizer is an entry in a table (rule.go): the signature of its
// constructor, its checks, and how it updates the parameters of one group
// (sgd.go, adam.go). optimizer.go holds what they share, state.go their state,
// scheduler.go the learning rate schedules.
//
// While the engine is recorded, steps and the clearing of gradients are events
// on the tape.
package optim
