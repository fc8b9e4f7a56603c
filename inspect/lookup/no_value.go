package lookup

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// How many elements of a tensor the recorder of PyTorch reads unasked, and how many while the
// user steps. They are WHOLE and LARGE in its values.py; a test compares them.
const (
	smallValue = 8
	largeValue = 1 << 22
)

// debuggerReads is what to do about a value that a recording leaves out.
const debuggerReads = "the debugger reads it (gradtui run PROGRAM), and --values full records it"

// NoValue says why the tape does not have the value of a tensor, and what to do about it.
// The device comes from the program.
func NoValue(tape *graph.Tape, t graph.Tensor) string {
	device, _, _ := strings.Cut(t.Device, ":")
	switch n := t.Numel(); {
	case !strings.HasPrefix(tape.Info().Engine, "torch"):
		return "not recorded"
	case device == "meta":
		return "not recorded: tensors on meta have no elements"
	case t.DType == graph.Complex64 || t.DType == graph.Complex128 || t.DType == graph.OtherDType:
		return fmt.Sprintf("not recorded: gradtui does not read elements of dtype %s", t.DType)
	case device != graph.CPU:
		return fmt.Sprintf("not recorded: it is on %s, and reading it would wait for the device; %s", t.Device, debuggerReads)
	case n > largeValue:
		return fmt.Sprintf("not recorded: it has more than %d elements; the debugger reads it while you step", largeValue)
	case n > smallValue:
		return fmt.Sprintf("not recorded: it has more than %d elements; %s", smallValue, debuggerReads)
	}
	return "not recorded: the operation looked like earlier ones; " + debuggerReads
}
