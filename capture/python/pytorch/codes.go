package pytorch

import "strings"

// errorCodes say what an error of PyTorch's autograd is by what its message holds: the codes
// that the built-in engine gives its errors, which speak PyTorch's words. The first that
// fits counts. Errors about arguments, shapes and the like have none: nothing looks at them.
var errorCodes = []struct{ part, code string }{
	{"grad can be implicitly created only for scalar outputs", "non-scalar"},
	{"does not require grad and does not have a grad_fn", "no-grad"},
	{"of gradients tuple is None, but the corresponding", "no-grad"},
	{"One of the differentiated Tensors does not require grad", "no-grad"},
	{"can't retain_grad on Tensor that has requires_grad=False", "no-grad"},
	{"on a tensor that doesn't require gradient", "no-grad"},
	{"the gradient of a tensor that doesn't require gradient", "no-grad"},
	{"to require gradient, but none of the them have requires_grad=True", "no-grad"},
	{"appears to not have been used in the graph", "unused"},
	{"has been modified by an inplace operation", "version"},
	{"saved tensor that has been detached in-place", "version"},
	{"backward through the graph a second time", "freed"},
	{"a saved tensor after it has been freed", "freed"},
	{"leaf Variable that requires grad is being used in an in-place operation", "leaf-inplace"},
	{"leaf Variable that requires grad has been used in an in-place operation", "leaf-inplace"},
	{"modified inplace. This", "view-inplace"}, // "Output 0 of UnbindBackward0 is a view and is being …"
	{"is a view of a view which was created in", "view-inplace"},
	{"A view was created in", "view-inplace"},
	{"Can't detach views in-place", "view-inplace"},
	{"refers to a single memory location", "overlap"},
	{"refer to a single memory location", "overlap"},
	{"input has a dimension with stride 0", "overlap"},
	{"change requires_grad flags of leaf variables", "not-leaf"},
	{"leaf variable has been moved into the graph interior", "not-leaf"},
	{"Only Tensors created explicitly by the user (graph leaves) support the deepcopy", "not-leaf"},
	{"hooks cannot be registered on non-leaf tensors", "not-leaf"},
	{"can't assign Variable as its own grad", "grad-assign"},
	{"attempting to assign a gradient", "grad-assign"},
	{"assigned grad expected to be a Tensor or None", "grad-assign"},
	{"nference tensor", "inference"}, // "Inference tensors cannot be saved", "Inplace update to inference tensor"
	{"returned nan values in its", "anomaly"},
	{"save_for_backward can only save", "function"},
	{"your custom autograd.Function", "function"},
	{"for custom autograd.Function", "function"},
	{"Function's jvp returned", "function"},
	{"inplace custom Function is not", "function"},
	{"the jvp is not returning a view", "function"},
	{"Some elements marked as dirty during the forward", "function"},
	{"If your Function modifies inplace", "function"},
	{"returned an incorrect number of gradients", "function"},
	{"returned a gradient different than None", "function"},
	{"expected Variable or None (got", "function"},
	{"expected Variable, but hook returned", "hook"},
	{"expected tuple, but hook returned", "hook"},
	{"can't replace a None gradient", "hook"},
	{"has changed the type of value", "hook"},
	{"has changed the size of value", "hook"},
	{"has returned an incorrect number of values", "hook"},
	{"accumulate grad hooks should return None", "hook"},
	{"saved tensor pack hook", "hook"},
	{"saved tensor unpack_hook", "hook"},
	{"whose hooks have already been set", "hook"},
	{"with value None is forbidden", "hook"},
	{"is not implemented.", "no-derivative"},
	{"derivative for", "no-derivative"},
	{"Trying to use forward AD with", "no-derivative"},
	{"is not differentiable with respect to", "no-derivative"},
}

// errorCode is the code of an error with a message.
func errorCode(message string) string {
	for _, c := range errorCodes {
		if strings.Contains(message, c.part) {
			return c.code
		}
	}
	return ""
}
