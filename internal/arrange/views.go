package arrange

import "strings"

// IsView reports whether a node, by its name, only changes how elements are addressed, or copies them: a picture may
// leave it out, and its gradient goes to where the gradient of its only input goes.
func IsView(node string) bool { return views[Operation(node)] }

// Operation returns the name of a node without its end: "Addmm" of "AddmmBackward0".
func Operation(node string) string {
	name := strings.TrimRight(node, "0123456789")
	if name, ok := strings.CutSuffix(name, "Backward"); ok && name != "" {
		return name
	}
	return node
}

// Views returns the operations of such nodes, as [Operation] names them, in no order.
func Views(yield func(operation string) bool) {
	for name := range views {
		if !yield(name) {
			return
		}
	}
}

var views = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`View UnsafeView Reshape ReshapeAlias T Transpose Permute Expand Squeeze Unsqueeze Alias
		Clone Contiguous Mt MT Swapaxes Movedim Flatten Unflatten Viewas LiftFresh`) {
		names[name] = true
	}
	return names
}()
