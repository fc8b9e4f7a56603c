package random

import (
	"errors"
	"fmt"
)

// Bernoulli sets each element of dst to 1 (true) with probability p and to 0
// otherwise: Tensor.bernoulli_(p). It draws two words for each element, even if
// p is 0 or 1. It fails if p is outside [0, 1].
func Bernoulli[T Element](g *Generator, dst []T, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("bernoulli_ expects p to be in [0, 1], but got p=%v", number(p))
	}
	hit, miss := one[T](), zero[T]()
	for i := range dst {
		if g.Uniform64() < p {
			dst[i] = hit
		} else {
			dst[i] = miss
		}
	}
	return nil
}

var errProbability = errors.New("Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)")

// BernoulliEach sets each element of dst to 1 (true) with the probability in
// the corresponding element of p and to 0 otherwise: torch.bernoulli(p),
// Tensor.bernoulli_(p) with a tensor. The order is the memory order of dst; the
// result of torch.bernoulli is always contiguous. It draws one word for each
// float32 probability, two for each float64. It fails if the lengths differ, or
// at the first probability outside [0, 1]; the elements before that one have
// then been drawn and set, as in PyTorch.
func BernoulliEach[T Element, P Float](g *Generator, dst []T, p []P) error {
	if len(p) != len(dst) {
		return fmt.Errorf("random: %d probabilities for %d elements", len(p), len(dst))
	}
	hit, miss := one[T](), zero[T]()
	for i, p := range p {
		if !(p >= 0 && p <= 1) {
			return errProbability
		}
		if unit[P](g) < p {
			dst[i] = hit
		} else {
			dst[i] = miss
		}
	}
	return nil
}

// Dropout fills dst with the factors for the input of dropout in training mode:
// 0 with probability p, otherwise 1/(1-p). The order is the memory order of the
// input, or the order of its elements if there are gaps between them. It draws
// two words for each element, none if p is 0 or 1. It fails if p is outside [0,
// 1].
func Dropout[T Float](g *Generator, dst []T, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("dropout probability has to be between 0 and 1, but got %v", number(p))
	}
	keep := 1 - p
	scale := 1 / T(keep)
	for i := range dst {
		if p < 1 && (p == 0 || g.Uniform64() < keep) {
			dst[i] = scale
		} else {
			dst[i] = 0
		}
	}
	return nil
}
