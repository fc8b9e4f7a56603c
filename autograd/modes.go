package autograd

import (
	"strconv"

	"github.com/gradtui/gradtui/graph"
)

// A Thread holds the state that PyTorch keeps for each thread of a program:
// grad mode, inference mode, anomaly mode and the sequence numbers of nodes.
// The package works on one current thread; a front end for a program with
// several threads switches between them with SwitchThread.
type Thread struct {
	id        graph.ThreadID
	noGrad    bool
	inference bool
	anomaly   bool
	autocast  bool
	checkNaN  bool
	sequence  uint64
	running   *Node     // the node that backward is running
	pass      *pass     // the innermost running backward pass
	dual      bool      // forward mode is on
	duals     []*Tensor // the tensors that have tangents

	noForward bool // operators compute no tangents

	onChange      func(t *Tensor) error // called before a tensor is changed in place
	savedHooks    []SavedTensorHooks
	hooksDisabled *string // the reason why hooks on saved tensors are disabled, or nil
}

// NewThread returns the state of a thread that has just started.
func NewThread(id graph.ThreadID) *Thread { return &Thread{id: id, checkNaN: true} }

var current = NewThread(0)

// SwitchThread makes t the current thread and returns the previous one.
func SwitchThread(t *Thread) *Thread {
	before := current
	current = t
	return before
}

// gradMode returns grad mode as the program sees it. tracking reports whether
// operators are recorded, which inference mode excludes.
func gradMode() bool      { return !current.noGrad }
func tracking() bool      { return !current.noGrad && !current.inference }
func inferenceMode() bool { return current.inference }
func anomalyMode() bool   { return current.anomaly }

// GradEnabled reports whether grad mode is on.
func GradEnabled() bool { return gradMode() }

// SetGradEnabled sets grad mode and returns the previous mode, as
// torch.set_grad_enabled does.
func SetGradEnabled(on bool) bool {
	before := gradMode()
	if before != on {
		current.noGrad = !on
		recordMode(graph.GradMode, on)
	}
	return before
}

// NoGrad calls f with grad mode off, as torch.no_grad.
func NoGrad(f func()) { withGrad(false, f) }

// EnableGrad calls f with grad mode on, as torch.enable_grad.
func EnableGrad(f func()) { withGrad(true, f) }

func withGrad(on bool, f func()) {
	defer SetGradEnabled(SetGradEnabled(on))
	f()
}

// quietly sets grad mode without an event on the tape, for changes by the
// engine rather than the program.
func quietly(on bool) (restore func()) {
	th := current
	before := th.noGrad
	th.noGrad = !on
	return func() { th.noGrad = before }
}

// InferenceEnabled reports whether inference mode is on.
func InferenceEnabled() bool { return inferenceMode() }

// SetInferenceMode sets inference mode and returns the previous mode.
func SetInferenceMode(on bool) bool {
	return switchMode(&current.inference, graph.InferenceMode, on)
}

// switchMode sets a mode and returns the previous value. A change is recorded
// as an event.
func switchMode(mode *bool, kind graph.Mode, on bool) bool {
	before := *mode
	if before != on {
		*mode = on
		recordMode(kind, on)
	}
	return before
}

// InferenceMode calls f in inference mode, as torch.inference_mode: grad mode
// is off, and new tensors cannot take part in autograd later.
func InferenceMode(f func()) { withInference(true, f) }

// NoInferenceMode calls f in normal mode with grad mode on, as
// torch.inference_mode(False).
func NoInferenceMode(f func()) { withInference(false, f) }

func withInference(on bool, f func()) {
	defer SetInferenceMode(SetInferenceMode(on))
	defer SetGradEnabled(SetGradEnabled(!on))
	f()
}

// SetDetectAnomaly sets anomaly mode, as torch.autograd.set_detect_anomaly
// does: nodes remember where they were made, and backward fails at the first
// NaN if checkNaN is set.
func SetDetectAnomaly(on, checkNaN bool) {
	if current.anomaly != on {
		recordMode(graph.AnomalyMode, on)
	}
	current.anomaly, current.checkNaN = on, checkNaN
}

// SetAutocast records on the tape whether autocast is on, and returns the
// previous state. The front end does the casts.
func SetAutocast(on bool) bool {
	return switchMode(&current.autocast, graph.AutocastMode, on)
}

// AnomalyEnabled reports whether anomaly mode is on.
func AnomalyEnabled() bool { return anomalyMode() }

// AnomalyChecksNaN reports whether backward fails at a NaN in anomaly mode.
func AnomalyChecksNaN() bool { return current.checkNaN }

func itoa(i int) string { return strconv.Itoa(i) }

func sameSizes(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
