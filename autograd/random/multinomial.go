package random

import (
	"errors"
	"fmt"
	"math"
)

// Errors of Multinomial.
var (
	errNoSamples     = errors.New("cannot sample n_sample <= 0 samples")
	errTooMany       = errors.New("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
	errManyClasses   = errors.New("number of categories cannot exceed 2^24")
	errNoClasses     = errors.New("min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.")
	errBadWeight     = errors.New("probability tensor contains either `inf`, `nan` or element < 0")
	errNegative      = errors.New("invalid multinomial distribution (encountering probability entry < 0)")
	errInfinite      = errors.New("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
	errNoProbability = errors.New("invalid multinomial distribution (sum of probabilities <= 0)")
)

// Multinomial draws category indices with probabilities proportional to
// weights: torch.multinomial. The weights are rows of the given number of
// categories, one distribution each, contiguous and row-major; dst receives the
// given number of samples for each row. It fails if a weight is negative or not
// finite, a row sums to zero, or more samples than categories are requested
// without replacement.
//
// Without replacement, and always for a single sample, the result is the
// indices of the largest weight/Exponential(1), in decreasing order; each
// weight takes two words. With replacement each sample takes two words, and
// rows before a bad one are drawn, as in PyTorch. Without replacement PyTorch
// draws in memory order, so a transposed matrix and its contiguous copy give
// different results.
func Multinomial[T Float](g *Generator, dst []int64, weights []T, categories, samples int, replacement bool) error {
	switch {
	case samples <= 0:
		return errNoSamples
	case !replacement && samples > categories:
		return errTooMany
	case categories > 1<<24:
		return errManyClasses
	}
	rows := len(dst) / samples
	if len(dst) != rows*samples || len(weights) != rows*categories {
		return fmt.Errorf("random: %d weights of %d categories and %d results of %d samples do not match", len(weights), categories, len(dst), samples)
	}
	if rows == 0 {
		return nil
	}
	if replacement && samples > 1 {
		return drawReplacing(g, dst, weights, categories, samples)
	}
	return drawDistinct(g, dst, weights, categories, samples)
}

// drawDistinct draws by exponential races: each category waits an exponential
// time with its weight as the rate, and the shortest times win.
func drawDistinct[T Float](g *Generator, dst []int64, weights []T, categories, samples int) error {
	if categories == 0 {
		return errNoClasses
	}
	for _, w := range weights {
		if !(w >= 0) || math.IsInf(float64(w), 1) {
			return errBadWeight
		}
	}
	for row := weights; len(row) > 0; row = row[categories:] {
		if !anyPositive(row[:categories]) {
			return errNoProbability
		}
	}
	wait := make([]T, categories)
	race := make([]entry[T], categories)
	for ; len(dst) > 0; dst, weights = dst[samples:], weights[categories:] {
		fillExponential(g, wait, 1)
		for i, w := range wait {
			race[i] = entry[T]{value: weights[i] / w, index: int64(i)}
		}
		topEntries(race, samples)
		for i := range samples {
			dst[i] = race[i].index
		}
	}
	return nil
}

func anyPositive[T Float](row []T) bool {
	for _, w := range row {
		if w > 0 {
			return true
		}
	}
	return false
}

// drawReplacing draws by looking up uniforms in the cumulative distribution,
// which has the precision of the weights.
func drawReplacing[T Float](g *Generator, dst []int64, weights []T, categories, samples int) error {
	cumulative := make([]T, categories)
	for ; len(dst) > 0; dst, weights = dst[samples:], weights[categories:] {
		var sum T
		for i, w := range weights[:categories] {
			switch {
			case !(w >= 0):
				return errNegative
			case math.IsInf(float64(w), 1):
				return errInfinite
			}
			sum += w
			cumulative[i] = sum
		}
		if !(sum > 0) {
			return errNoProbability
		}
		for i := range cumulative {
			cumulative[i] /= sum
		}
		cumulative[categories-1] = 1
		for i := range samples {
			dst[i] = search(cumulative, g.Uniform64())
		}
	}
	return nil
}

// search returns the first index whose value is at least u, by bisection. If
// rounding left the values unsorted, bisection decides as well.
func search[T Float](values []T, u float64) int64 {
	low, high := 0, len(values)
	for low < high {
		middle := low + (high-low)/2
		if float64(values[middle]) < u {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return int64(low)
}
