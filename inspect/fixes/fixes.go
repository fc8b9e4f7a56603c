// Package fixes knows, for findings whose remedy is local, the edit of the program that makes it. The edit
// is made of the source text on the tape, which is parsed. If the code does not have a form that the maker
// of the edit knows, there is no edit: none is better than a wrong one.
//
// The table below says which makers there are for a rule; the first one that knows what to do makes the edit.
// inplace.go, order.go, detach.go, modules.go, calls.go and parameters.go hold the makers, scene.go what they share.
package fixes

import (
	"github.com/gradtui/gradtui/inspect"
)

// A maker makes the edits of a finding, and says in an imperative clause what they do; "": it does not know.
type maker func(s *scene) (title string)

// table lists the makers for the findings of each rule, the first to be tried first.
var table = map[string][]maker{
	"accumulation-not-averaged":      {divideByNumber},
	"broadcast-mismatch":             {keepDim, squeezeColumn},
	"custom-function-wrong":          {markDirty, gradientPerArgument, copyIncoming, outOfPlace},
	"data-bypass-silent":             {writeThroughData},
	"dropout-in-evaluation":          {passTraining, registerModules},
	"eval-mode-while-training":       {trainAgain},
	"grad-accumulated":               {callMethod, clearOptimizer, clearByHand, clearBeforeRead},
	"grad-none-detached":             {keepGraph},
	"grad-none-not-leaf":             {makeLeaf, retainGrad},
	"grad-none-rewrapped":            {unwrapTensor},
	"hook-misuse":                    {outOfPlace},
	"illegal-view-inplace":           {outOfPlaceOfExpanded},
	"inplace-alias":                  {keepCopy, outOfPlace},
	"inplace-saved-tensor":           {outOfPlace},
	"leaf-inplace":                   {underNoGrad, outOfPlace},
	"memory-growth":                  {detachTotal, detachKept},
	"misaligned-reshape":             {transposeInstead},
	"missing-create-graph":           {createGraph},
	"no-grad-path":                   {dropNoGrad},
	"nonleaf-deepcopy":               {detachCached},
	"nonscalar-backward":             {reduceLoss},
	"optimizer-missing-param":        {registerModules, registerParameter, optimizerLater, allParameters},
	"param-rebound":                  {updateInPlace},
	"scheduler-per-batch":            {moveScheduler},
	"second-backward":                {detachReused, retainGraph},
	"sigmoid-before-bce-with-logits": {dropActivation},
	"snapshot-aliases-weights":       {copySnapshot},
	"softmax-before-cross-entropy":   {dropActivation},
	"softmax-wrong-dim":              {lastDim},
	"stale-graph-across-iterations":  {assignDetached, detachState},
	"step-order":                     {moveStep},
	"stepped-before-backward":        {stepLater},
	"target-not-detached":            {detachTarget},
	"tied-weights-broken":            {shareWeight},
	"train-mode-in-evaluation":       {evalFirst},
	"unchanged-parameter":            {addStep},
	"unexpected-scores":              {otherLoss},
}

// For returns what makes the fixes of a rule; nil if no finding of it has one.
func For(code string) func(*inspect.History, *inspect.Finding) *inspect.Fix {
	makers := table[code]
	if len(makers) == 0 {
		return nil
	}
	return func(h *inspect.History, f *inspect.Finding) *inspect.Fix {
		if !f.Primary.Known() {
			return nil
		}
		for _, make := range makers {
			s := newScene(h, f)
			if s == nil {
				return nil
			}
			if title := make(s); title != "" && s.valid() {
				return &inspect.Fix{Title: title, Edits: s.placed()}
			}
		}
		return nil
	}
}
