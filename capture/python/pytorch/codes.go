package pytorch

import (
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// errorCodes say what an error of PyTorch's autograd is by what its message holds: the codes
// that the built-in engine gives its errors, which speak PyTorch's words. The first that
// fits counts. Errors about arguments, shapes and the like have none: nothing looks at them.
var errorCodes = []struct {
	part string
	code autograd.Code
}{
	{"grad can be implicitly created only for scalar outputs", autograd.CodeNonScalar},
	{"does not require grad and does not have a grad_fn", autograd.CodeNoGrad},
	{"of gradients tuple is None, but the corresponding", autograd.CodeNoGrad},
	{"One of the differentiated Tensors does not require grad", autograd.CodeNoGrad},
	{"can't retain_grad on Tensor that has requires_grad=False", autograd.CodeNoGrad},
	{"on a tensor that doesn't require gradient", autograd.CodeNoGrad},
	{"the gradient of a tensor that doesn't require gradient", autograd.CodeNoGrad},
	{"to require gradient, but none of the them have requires_grad=True", autograd.CodeNoGrad},
	{"appears to not have been used in the graph", autograd.CodeUnused},
	{"has been modified by an inplace operation", autograd.CodeVersion},
	{"saved tensor that has been detached in-place", autograd.CodeVersion},
	{"backward through the graph a second time", autograd.CodeFreed},
	{"a saved tensor after it has been freed", autograd.CodeFreed},
	{"leaf Variable that requires grad is being used in an in-place operation", autograd.CodeLeafInPlace},
	{"leaf Variable that requires grad has been used in an in-place operation", autograd.CodeLeafInPlace},
	{"modified inplace. This", autograd.CodeViewInPlace}, // "Output 0 of UnbindBackward0 is a view and is being …"
	{"is a view of a view which was created in", autograd.CodeViewInPlace},
	{"A view was created in", autograd.CodeViewInPlace},
	{"Can't detach views in-place", autograd.CodeViewInPlace},
	{"refers to a single memory location", autograd.CodeOverlap},
	{"refer to a single memory location", autograd.CodeOverlap},
	{"input has a dimension with stride 0", autograd.CodeOverlap},
	{"change requires_grad flags of leaf variables", autograd.CodeNotLeaf},
	{"leaf variable has been moved into the graph interior", autograd.CodeNotLeaf},
	{"Only Tensors created explicitly by the user (graph leaves) support the deepcopy", autograd.CodeNotLeaf},
	{"hooks cannot be registered on non-leaf tensors", autograd.CodeNotLeaf},
	{"can't assign Variable as its own grad", autograd.CodeGradAssign},
	{"attempting to assign a gradient", autograd.CodeGradAssign},
	{"assigned grad expected to be a Tensor or None", autograd.CodeGradAssign},
	{"nference tensor", autograd.CodeInference}, // "Inference tensors cannot be saved", "Inplace update to inference tensor"
	{"returned nan values in its", autograd.CodeAnomaly},
	{"save_for_backward can only save", autograd.CodeFunction},
	{"your custom autograd.Function", autograd.CodeFunction},
	{"for custom autograd.Function", autograd.CodeFunction},
	{"Function's jvp returned", autograd.CodeFunction},
	{"inplace custom Function is not", autograd.CodeFunction},
	{"the jvp is not returning a view", autograd.CodeFunction},
	{"Some elements marked as dirty during the forward", autograd.CodeFunction},
	{"If your Function modifies inplace", autograd.CodeFunction},
	{"returned an incorrect number of gradients", autograd.CodeFunction},
	{"returned a gradient different than None", autograd.CodeFunction},
	{"expected Variable or None (got", autograd.CodeFunction},
	{"expected Variable, but hook returned", autograd.CodeHook},
	{"expected tuple, but hook returned", autograd.CodeHook},
	{"can't replace a None gradient", autograd.CodeHook},
	{"has changed the type of value", autograd.CodeHook},
	{"has changed the size of value", autograd.CodeHook},
	{"has returned an incorrect number of values", autograd.CodeHook},
	{"accumulate grad hooks should return None", autograd.CodeHook},
	{"saved tensor pack hook", autograd.CodeHook},
	{"saved tensor unpack_hook", autograd.CodeHook},
	{"whose hooks have already been set", autograd.CodeHook},
	{"with value None is forbidden", autograd.CodeHook},
	{"is not implemented.", autograd.CodeNoDerivative},
	{"derivative for", autograd.CodeNoDerivative},
	{"Trying to use forward AD with", autograd.CodeNoDerivative},
	{"is not differentiable with respect to", autograd.CodeNoDerivative},
}

// errorCode is the code of an error with a message.
func errorCode(message string) autograd.Code {
	for _, c := range errorCodes {
		if strings.Contains(message, c.part) {
			return c.code
		}
	}
	return ""
}
