// Package nn holds neural network modules with the semantics of torch.nn in
// PyTorch 2.6: parameters, buffers and children registered by name and in order,
// hooks, state dicts, printing, and initial values that draw the same random
// numbers.
//
//	autograd.ManualSeed(0)
//	net := nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
//	loss := nn.MSELoss().Forward(net.Forward(x), y)
//	err := loss.Backward()
//	fmt.Println(net)
//
// Every module is a [*Module]. The layers of torch.nn are functions that make
// one: [Linear], [Conv2d], [LSTM]. Python's keyword arguments are options of
// package autograd:
//
//	nn.Conv2d(3, 8, 3, autograd.Kw("padding", 1), nn.NoBias)
//
// A custom module names its members and its forward function:
//
//	type mlp struct{ *nn.Module }
//
//	func newMLP() *mlp {
//		hidden, out := nn.Linear(2, 16), nn.Linear(16, 1)
//		return &mlp{nn.New("MLP", func(x ...*autograd.Tensor) *autograd.Tensor {
//			return out.Forward(hidden.Forward(x[0]).Relu())
//		}, nn.Child("hidden", hidden), nn.Child("out", out))}
//	}
//
// # Errors
//
// Errors travel as in tensors: a constructor with bad arguments returns a
// module that carries the error ([Module.Err]), and its Forward returns a
// tensor that carries it.
//
// # How it is built
//
//   - module.go holds the registry of a module, attr.go the rules of assignment
//     (SetAttr, Attr), which front ends for other languages use too.
//   - A layer is an entry in a table (files layers_*.go): the signature of its
//     constructor, what it registers, how it computes and prints. [Make] makes
//     one by name.
//   - call.go runs a forward pass with its hooks, hooks.go runs the hooks in
//     backward. recurrence.go computes recurrent layers, init.go holds the
//     initial values, clip.go torch.nn.utils.
//
// While the engine is recorded, the forward pass of a module records its path
// and class on the tape.
package nn
