// Package rules knows the causes of wrong gradients, and of training that goes wrong with right
// ones. Each cause has one rule, in one file named after its code; twice_normalised.go has two. Its documentation is in docs/, and programs that it must report are in
// testdata/. Programs in testdata/clean must stay without findings. The list of the rules is
// below; second_backward.go is a short example.
//
// Some questions concern several rules and are answered once, so that one rule reports one fault:
//
//   - Ten rules explain a gradient that never arrives: missing-create-graph, no-grad-path,
//     nondifferentiable-op, optimizer-missing-param, param-rebound, unused-parameter and the four
//     grad-none rules. Their files say how each cause shows; missing_gradients.go finds the gaps,
//     and missing_ways.go the ways that a gradient could have taken.
//   - failures.go finds the cause of each failed backward pass.
//   - invariants.go lists what holds in a healthy run. Each rule finds a cause of one break.
//   - training.go notes what happened to the gradient of each leaf: a pass added to it, it was
//     cleared, the leaf was updated by it.
//   - dimensions.go follows single dimensions of tensors through operations.
package rules

import (
	"embed"
	"slices"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/fixes"
)

//go:embed docs/*.md
var docs embed.FS

// all holds the rules, sorted by code.
var all = documented([]inspect.Rule{
	accumulationNotAveraged,
	broadcastMismatch,
	customFunctionWrong,
	dataBypassSilent,
	deadRelu,
	dropoutInEvaluation,
	evalModeWhileTraining,
	explodingGrad,
	frozenByMistake,
	frozenNormUpdates,
	frozenParameterMoves,
	gradAccumulated,
	gradNoneDetached,
	gradNoneNotLeaf,
	gradNoneRewrapped,
	gradNoneUnreached,
	gradientNeverArrives,
	hookMisuse,
	illegalViewInplace,
	inplaceAlias,
	inplaceSavedTensor,
	leafInplace,
	memoryGrowth,
	misalignedReshape,
	missingCreateGraph,
	nanGrad,
	noGradPath,
	nondifferentiableOp,
	nonfiniteLoss,
	nonleafDeepcopy,
	nonscalarBackward,
	optimizerMissingParam,
	paramRebound,
	parameterUpdatedTwice,
	schedulerPerBatch,
	secondBackward,
	sigmoidBeforeBCEWithLogits,
	snapshotAliasesWeights,
	softmaxBeforeCrossEntropy,
	softmaxWrongDim,
	staleGraphAcrossIterations,
	stepOrder,
	steppedBeforeBackward,
	symmetricInit,
	targetNotDetached,
	tiedWeightsBroken,
	trainModeInEvaluation,
	unchangedParameter,
	unevenGradients,
	unexpectedScores,
	unexplainedError,
	unusedParameter,
	vanishingGrad,
	zeroLearningRate,
})

// documented gives each rule its documentation, and what makes its fixes.
func documented(list []inspect.Rule) []inspect.Rule {
	for i := range list {
		list[i].Doc = document(list[i].Code)
		list[i].Fix = fixes.For(list[i].Code)
	}
	return list
}

// All returns the rules, sorted by code.
func All() []inspect.Rule { return all }

// Find returns the rule with a code.
func Find(code string) (inspect.Rule, bool) {
	i := slices.IndexFunc(all, func(r inspect.Rule) bool { return r.Code == code })
	if i < 0 {
		return inspect.Rule{}, false
	}
	return all[i], true
}

// document returns the documentation of a rule, "" if there is none.
func document(code string) string {
	text, err := docs.ReadFile("docs/" + code + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
