package nn

import "github.com/gradtui/gradtui/autograd"

// Reduction is an option of losses. It says how the losses of the elements are
// reduced: "mean" (the default), "sum" or "none".
func Reduction(how string) autograd.Option { return autograd.Kw("reduction", how) }

// MSELoss returns the mean squared error. Options: reduction.
func MSELoss(opts ...autograd.Option) *Module { return Make("MSELoss", nil, opts...) }

// L1Loss returns the mean absolute error. Options: reduction.
func L1Loss(opts ...autograd.Option) *Module { return Make("L1Loss", nil, opts...) }

// SmoothL1Loss is squared for differences below beta and absolute above.
// Options: reduction, beta.
func SmoothL1Loss(opts ...autograd.Option) *Module { return Make("SmoothL1Loss", nil, opts...) }

// HuberLoss is squared for differences below delta and absolute above. Options:
// reduction, delta.
func HuberLoss(opts ...autograd.Option) *Module { return Make("HuberLoss", nil, opts...) }

// CrossEntropyLoss compares logits [batch, classes, ...] with classes (int64,
// [batch, ...]), or with probabilities of the shape of the logits. Options:
// weight, ignore_index, reduction, label_smoothing.
func CrossEntropyLoss(opts ...autograd.Option) *Module { return Make("CrossEntropyLoss", nil, opts...) }

// NLLLoss compares log-probabilities [batch, classes, ...] with classes (int64,
// [batch, ...]). Options: weight, ignore_index, reduction.
func NLLLoss(opts ...autograd.Option) *Module { return Make("NLLLoss", nil, opts...) }

// BCELoss compares probabilities with targets in [0, 1]. Options: weight,
// reduction.
func BCELoss(opts ...autograd.Option) *Module { return Make("BCELoss", nil, opts...) }

// BCEWithLogitsLoss compares logits with targets in [0, 1]. Options: weight,
// reduction, pos_weight.
func BCEWithLogitsLoss(opts ...autograd.Option) *Module {
	return Make("BCEWithLogitsLoss", nil, opts...)
}

// KLDivLoss is the Kullback-Leibler divergence. The input holds
// log-probabilities. Options: reduction, log_target.
func KLDivLoss(opts ...autograd.Option) *Module { return Make("KLDivLoss", nil, opts...) }

// GaussianNLLLoss is the negative log likelihood of normal distributions.
// Forward takes mean, target and variance. Options: full, eps, reduction.
func GaussianNLLLoss(opts ...autograd.Option) *Module { return Make("GaussianNLLLoss", nil, opts...) }

// PoissonNLLLoss is the negative log likelihood of counts with Poisson
// distributions. Options: log_input, full, eps, reduction.
func PoissonNLLLoss(opts ...autograd.Option) *Module { return Make("PoissonNLLLoss", nil, opts...) }

// SoftMarginLoss returns the logistic loss for classes -1 and 1. Options:
// reduction.
func SoftMarginLoss(opts ...autograd.Option) *Module { return Make("SoftMarginLoss", nil, opts...) }

// HingeEmbeddingLoss compares distances with classes -1 and 1. Options: margin,
// reduction.
func HingeEmbeddingLoss(opts ...autograd.Option) *Module {
	return Make("HingeEmbeddingLoss", nil, opts...)
}

// CosineEmbeddingLoss makes pairs of vectors similar (1) or not (-1). Options:
// margin, reduction.
func CosineEmbeddingLoss(opts ...autograd.Option) *Module {
	return Make("CosineEmbeddingLoss", nil, opts...)
}

// MarginRankingLoss ranks the first of two numbers higher (1) or lower (-1).
// Options: margin, reduction.
func MarginRankingLoss(opts ...autograd.Option) *Module {
	return Make("MarginRankingLoss", nil, opts...)
}

// MultiMarginLoss returns the hinge loss for one class of several. Options: p,
// margin, weight, reduction.
func MultiMarginLoss(opts ...autograd.Option) *Module { return Make("MultiMarginLoss", nil, opts...) }

// MultiLabelMarginLoss returns the hinge loss for several classes. Options:
// reduction.
func MultiLabelMarginLoss(opts ...autograd.Option) *Module {
	return Make("MultiLabelMarginLoss", nil, opts...)
}

// MultiLabelSoftMarginLoss returns the logistic loss for several classes. Options:
// weight, reduction.
func MultiLabelSoftMarginLoss(opts ...autograd.Option) *Module {
	return Make("MultiLabelSoftMarginLoss", nil, opts...)
}

// TripletMarginLoss moves an anchor closer to a positive than to a negative
// example. Options: margin, p, eps, swap, reduction.
func TripletMarginLoss(opts ...autograd.Option) *Module {
	return Make("TripletMarginLoss", nil, opts...)
}

// CTCLoss compares sequences of log-probabilities [time, batch, labels] with
// shorter sequences of labels. Options: blank, reduction, zero_infinity.
func CTCLoss(opts ...autograd.Option) *Module { return Make("CTCLoss", nil, opts...) }

// CosineSimilarity returns the cosine of the angle between vectors. Options: dim,
// eps.
func CosineSimilarity(opts ...autograd.Option) *Module { return Make("CosineSimilarity", nil, opts...) }

// PairwiseDistance returns the norm of the difference of vectors. Options: p, eps,
// keepdim.
func PairwiseDistance(opts ...autograd.Option) *Module { return Make("PairwiseDistance", nil, opts...) }
