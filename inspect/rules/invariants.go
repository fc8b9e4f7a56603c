package rules

import "slices"

// An Invariant holds in every healthy training run. A rule looks for one cause that breaks it.
type Invariant struct {
	Holds string // one sentence
	// Unless lists what looks like a break and is meant. Rules are silent about it, or give a hint.
	Unless string
	Codes  []string // the causes: a break has one of them, and the first that fits is reported
	// Bare is the rule that reports a break whose cause is not known: a rule that looks back last, or one of
	// the causes that is the symptom itself. "": it is not reported, because only the cause tells a break from what
	// correct programs do: rows that mix, modes that differ from the phase, rates that fall early.
	Bare string
	Also string // who states the invariant, too; "": it is PyTorch's own contract
}

// The literature that the table names.
const (
	autoTrainer    = "AutoTrainer (ICSE 2021)"
	deepLocalize   = "DeepLocalize (ICSE 2021)"
	neuraLint      = "NeuraLint (TOSEM 2021)"
	theDeepChecker = "TheDeepChecker (TOSEM 2023)"
	trainCheck     = "TrainCheck (OSDI 2025)"
	umlaut         = "UMLAUT (CHI 2021)"
)

// invariants hold in this order: a run that breaks an early one says little about later ones.
var invariants = []Invariant{
	{
		Holds:  "A backward pass finds its graph, and what operations saved for it, as they were.",
		Unless: "the program expects the error, or goes on after it",
		Codes: []string{
			"inplace-saved-tensor", "stepped-before-backward", "stale-graph-across-iterations", "second-backward",
			"illegal-view-inplace", "leaf-inplace", "nonscalar-backward", "nonleaf-deepcopy",
		},
		Bare: "unexplained-error",
	},
	{
		Holds:  "Functions and hooks of the program return the gradients that autograd asks them for.",
		Unless: "gradients that are meant to differ: straight-through estimators, gradient reversal, clipping",
		Codes:  []string{"custom-function-wrong", "hook-misuse"},
		Bare:   "unexplained-error",
	},
	{
		Holds:  "Values change only in ways that autograd sees.",
		Unless: "weights under `no_grad`, averages, buffers, memory that nothing reads any more",
		Codes:  []string{"data-bypass-silent", "inplace-alias"},
		Bare:   "data-bypass-silent",
	},
	{
		Holds: "A gradient that the program reads or asks for arrives.",
		Unless: "targets, teachers, baselines and statistics that are kept out with `detach()` or `no_grad()`; reads that " +
			"only ask whether there is a gradient",
		Codes: []string{
			"grad-none-not-leaf", "grad-none-rewrapped", "grad-none-detached", "no-grad-path", "nondifferentiable-op",
			"missing-create-graph", "grad-none-unreached",
		},
		Bare: "gradient-never-arrives",
	},
	{
		Holds: "What a loss takes as a constant, such as a target that a network has computed or a baseline, carries no gradient.",
		Unless: "losses that pull on both sides: siamese networks, contrastive losses, cycle consistency, residuals of " +
			"differential equations",
		Codes: []string{"target-not-detached"},
		Bare:  "target-not-detached",
	},
	{
		Holds:  "Every parameter that an optimizer holds is reached by some backward pass.",
		Unless: "parameters that are frozen, experts that no sample chose, heads of other tasks",
		Codes:  []string{"unused-parameter", "frozen-by-mistake"},
		Bare:   "gradient-never-arrives",
		Also:   theDeepChecker,
	},
	{
		Holds: "A parameter that gets gradients in training is changed by a step.",
		Unless: "networks that only judge, such as a discriminator in the step of its generator or a network of a perceptual " +
			"loss; weights that were trained or loaded before",
		Codes: []string{"optimizer-missing-param", "param-rebound", "zero-learning-rate"},
		Bare:  "unchanged-parameter",
		Also:  theDeepChecker + ", " + trainCheck,
	},
	{
		Holds:  "What a step changes got a gradient of this iteration, once, and is stepped once.",
		Unless: "accumulation over micro-batches, several losses of one step, second evaluations as in SAM and L-BFGS",
		Codes:  []string{"grad-accumulated", "accumulation-not-averaged", "step-order", "parameter-updated-twice", "frozen-parameter-moves"},
		Bare:   "step-order",
		Also:   trainCheck,
	},
	{
		Holds:  "The graph and the memory after an iteration are those after the iteration before.",
		Unless: "caches and replay buffers that fill up, numbers that are kept for a plot",
		Codes:  []string{"memory-growth"},
		Bare:   "memory-growth",
	},
	{
		Holds:  "What a loss compares has the same shape.",
		Unless: "weights and masks with dimensions of size 1, distances of all pairs",
		Codes:  []string{"broadcast-mismatch"},
		Bare:   "broadcast-mismatch",
	},
	{
		Holds:  "The rows of a batch do not mix before the loss, except through normalisation over the batch.",
		Unless: "attention over a set, contrastive losses, graphs, layouts that begin with time",
		Codes:  []string{"misaligned-reshape", "softmax-wrong-dim"},
	},
	{
		Holds:  "Scores reach the loss in the form that it expects, normalised once.",
		Unless: "probabilities of a gate or of attention; losses of probabilities",
		Codes:  []string{"softmax-before-cross-entropy", "sigmoid-before-bce-with-logits", "unexpected-scores"},
		Bare:   "unexpected-scores",
		Also:   neuraLint + ", " + umlaut,
	},
	{
		Holds:  "The mode of modules follows the phase: training mode while weights change, evaluation mode while they are judged.",
		Unless: "Monte Carlo dropout, frozen norms, programs that evaluate before they train",
		Codes:  []string{"eval-mode-while-training", "train-mode-in-evaluation", "dropout-in-evaluation", "frozen-norm-updates"},
	},
	{
		Holds:  "A schedule of the learning rate lasts as long as the training that it is for.",
		Unless: "warm-up, cycles and restarts, plans in batches, runs that are shorter than the plan",
		Codes:  []string{"scheduler-per-batch"},
	},
	{
		Holds:  "Each hidden layer lets values through for some rows of a batch.",
		Unless: "experts that no row chose, losses at their optimum, single units",
		Codes:  []string{"dead-relu"},
		Bare:   "dead-relu",
		Also:   autoTrainer + ", " + theDeepChecker,
	},
	{
		Holds:  "Weights that start equal do not stay equal.",
		Unless: "biases, norms, last layers and branches that start at zero: one layer alone",
		Codes:  []string{"symmetric-init"},
		Bare:   "symmetric-init",
		Also:   neuraLint + ", " + theDeepChecker,
	},
	{
		Holds:  "Layers that share a weight go on sharing it.",
		Unless: "layers that only begin alike, such as clones, target networks and output layers that start from a trained embedding",
		Codes:  []string{"tied-weights-broken"},
		Bare:   "tied-weights-broken",
		Also:   trainCheck,
	},
	{
		Holds:  "What was saved as the best weights does not change any more.",
		Unless: "copies, averages, states that are written to a file at once",
		Codes:  []string{"snapshot-aliases-weights"},
		Bare:   "snapshot-aliases-weights",
	},
	{
		Holds:  "Gradients do not grow or vanish on their way through layers or time steps.",
		Unless: "a long product that is meant, clipped gradients, losses with small weights",
		Codes:  []string{"exploding-grad", "vanishing-grad"},
		Bare:   "uneven-gradients",
		Also:   autoTrainer + ", " + theDeepChecker,
	},
	{
		Holds:  "Losses and gradients are finite.",
		Unless: "steps that the program or a gradient scaler skips",
		Codes:  []string{"nan-grad"},
		Bare:   "nonfinite-loss",
		Also:   autoTrainer + ", " + deepLocalize + ", " + umlaut,
	},
}

// Invariants returns what holds in a healthy run. Each rule's code is among the causes of one.
func Invariants() []Invariant { return invariants }

// InvariantOf returns the invariant that the findings of a rule break.
func InvariantOf(code string) (Invariant, bool) {
	i := slices.IndexFunc(invariants, func(v Invariant) bool { return slices.Contains(v.Codes, code) })
	if i < 0 {
		i = slices.IndexFunc(invariants, func(v Invariant) bool { return v.Bare == code })
	}
	if i < 0 {
		return Invariant{}, false
	}
	return invariants[i], true
}
