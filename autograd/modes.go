package autograd

import (
	"strconv"

	"github.com/gradtui/gradtui/graph"
)

// A Thread holds what PyTorch keeps for each thread of a program: grad mode,
// inference mode, anomaly mode and the numbering of nodes. The package works on
// one current thread; a front end that serves a program with several threads
// switches between them with SwitchThread.
type Thread struct {
	id        graph.ThreadID
	noGrad    bool
	inference bool
	anomaly   bool
	autocast  bool
	checkNaN  bool
	sequence  uint64
	running   *Node     // which backward evaluates now
	pass      *pass     // the innermost backward pass that runs
	dual      bool      // forward mode is on
	duals     []*Tensor // the tensors that have tangents

	noForward bool // operators compute no tangents

	onChange      func(t *Tensor) error // sees what is about to be changed in place
	savedHooks    []SavedTensorHooks
	hooksDisabled *string // why hooks on saved tensors may not be used
}

// NewThread returns the state of a thread that has just started.
func NewThread(id graph.ThreadID) *Thread { return &Thread{id: id, checkNaN: true} }

var current = NewThread(0)

// SwitchThread makes t the current thread and returns the one before.
func SwitchThread(t *Thread) *Thread {
	before := current
	current = t
	return before
}

// gradMode is what the program sees of grad mode; tracking says whether
// operators are recorded, which inference mode rules out.
func gradMode() bool      { return !current.noGrad }
func tracking() bool      { return !current.noGrad && !current.inference }
func inferenceMode() bool { return current.inference }
func anomalyMode() bool   { return current.anomaly }

// GradEnabled reports whether operators are recorded for backward.
func GradEnabled() bool { return gradMode() }

// SetGradEnabled switches grad mode and returns what it was, as
// torch.set_grad_enabled.
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

// quietly switches grad mode without leaving a trace on the tape: the engine's
// own switches are no doing of the program's.
func quietly(on bool) (restore func()) {
	th := current
	before := th.noGrad
	th.noGrad = !on
	return func() { th.noGrad = before }
}

// InferenceEnabled reports whether inference mode is on.
func InferenceEnabled() bool { return inferenceMode() }

// SetInferenceMode switches inference mode and returns what it was.
func SetInferenceMode(on bool) bool {
	return switchMode(&current.inference, graph.InferenceMode, on)
}

// switchMode sets a mode and returns what it was. A change is an event.
func switchMode(mode *bool, kind graph.Mode, on bool) bool {
	before := *mode
	if before != on {
		*mode = on
		recordMode(kind, on)
	}
	return before
}

// InferenceMode calls f in inference mode, as torch.inference_mode: grad mode is
// off, and new tensors can take no part in autograd later.
func InferenceMode(f func()) { withInference(true, f) }

// NoInferenceMode calls f in normal mode with grad mode on, as
// torch.inference_mode(False).
func NoInferenceMode(f func()) { withInference(false, f) }

func withInference(on bool, f func()) {
	defer SetInferenceMode(SetInferenceMode(on))
	defer SetGradEnabled(SetGradEnabled(!on))
	f()
}

// SetDetectAnomaly switches anomaly mode, as torch.autograd.set_detect_anomaly:
// nodes remember where they were made, and backward fails at the first NaN
// unless checkNaN is false.
func SetDetectAnomaly(on, checkNaN bool) {
	if current.anomaly != on {
		recordMode(graph.AnomalyMode, on)
	}
	current.anomaly, current.checkNaN = on, checkNaN
}

// SetAutocast notes on the tape whether autocast is on, and returns what it was. The casts are the
// front end's.
func SetAutocast(on bool) bool {
	return switchMode(&current.autocast, graph.AutocastMode, on)
}

// AnomalyEnabled reports whether anomaly mode is on.
func AnomalyEnabled() bool { return anomalyMode() }

// AnomalyChecksNaN reports whether backward fails at NaN in anomaly mode.
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
