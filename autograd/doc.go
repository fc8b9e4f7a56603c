// Package autograd is an automatic differentiation engine with the observable
// semantics of PyTorch 2.6: strided tensors whose views share memory and
// version counters, a graph of nodes with saved tensors, in-place operators
// that rewrite history, backward passes that run, free and fail as PyTorch's
// do, and its error texts to the letter. Its operations can be recorded on a
// tape (package graph) and debugged.
//
//	x := autograd.New([]float64{1, 2, 3}, autograd.RequiresGrad)
//	loss := x.Mul(x).Sum()
//	if err := loss.Backward(); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(x.Grad()) // tensor([2., 4., 6.])
//
// # Options
//
// An argument that has a default in PyTorch is an [Option]: a keyword argument
// with the same name. The comment of an operator shows its signatures:
//
//	x.Sum()                                  // all elements
//	x.Sum(autograd.Dim(1), autograd.KeepDim) // x.sum(1, keepdim=True)
//	x.Norm(autograd.Kw("p", 1))              // x.norm(p=1)
//	loss.Backward(autograd.RetainGraph)      // loss.backward(retain_graph=True)
//
// # Errors
//
// Operators return tensors, so that they can be chained. An operator that fails
// returns a tensor that carries the error. Other operators propagate it, and
// [Tensor.Err], [Tensor.Backward] and every other method with an error result
// report it. Errors are of type [*Error]: PyTorch's exception type and text,
// and a stable code. Operators that work in place (Add_, Copy_) return the
// error. No exported function panics.
//
// # How it is built
//
//   - An [Op] declares one overload of an operator (files ops_*.go): signature,
//     kernel, what it saves, derivative. Methods, in-place forms, argument
//     checks, forward mode, documentation and tests follow from the table.
//   - run.go does for a call what PyTorch generates for each operator: it makes
//     the [Node] with its edges and saved tensors, runs the kernel, and gives
//     the results their history.
//   - view.go holds the rules for views and in-place changes, node.go saved
//     tensors and their checks, engine.go the backward pass, accumulate.go what
//     happens at leaves, hooks.go, function.go and forward.go hooks, custom
//     functions and forward mode.
//   - record.go writes events to a tape. Without a recorder it costs a nil
//     check.
//   - internal/kernel holds loops over slices, internal/schema PyTorch's notation
//     for signatures, internal/repr printing, random the generator.
//
// The package works on one [Thread] at a time, like a Python program under its
// interpreter lock. Several goroutines must not use it at the same time.
//
// # Running under gradtui
//
// A program that imports this package can be debugged without changes: gradtui
// run, record and export start it with the environment variable GRADTUI_SOCKET,
// and it sends its tape there (target.go). Without that variable the package
// does not open a socket.
package autograd

//go:generate go run ./internal/gen
//go:generate go test -run TestTheListOfOperatorsIsFresh|TestTheFormulasOfDerivativesAreFresh . -update
