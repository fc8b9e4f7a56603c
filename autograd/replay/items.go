package replay

import (
	"slices"
	"strconv"
	"strings"

	ag "github.com/gradtui/gradtui/autograd"
)

// mostIndices bounds the ways in which tensors and other indices may mix.
const mostIndices = 8

// items are the ways to read t[i, 1:3, j] of PyTorch: a tape has the indices that are tensors in one list and the others
// in another one, and does not say how they mix.
func items(present []bool, args []Arg) []Call {
	tensors := len(present) - 1
	if tensors < 1 || tensors+len(args) > mostIndices || slices.Contains(present, false) {
		return nil
	}
	others := make([]any, len(args))
	for i, a := range args {
		v, ok := index(a.Value)
		if !ok {
			return nil
		}
		others[i] = v
	}
	var calls []Call
	for _, order := range orders(tensors, len(others), nil) {
		calls = append(calls, item(order, others))
	}
	return calls
}

// indexed are the ways to read an index operation of the engine: a tape does not say which dimensions are taken whole.
func indexed(present []bool) (calls []Call) {
	tensors := len(present) - 1
	if tensors < 1 || slices.Contains(present, false) {
		return nil
	}
	for whole := range mostIndices - tensors {
		for _, order := range orders(tensors-1, whole, nil) {
			calls = append(calls, item(append(order, true), slices.Repeat([]any{ag.Slice{}}, whole)))
		}
	}
	return calls
}

// item reads the first tensor at the others, which stand where order says so, and at other indices.
func item(order []bool, others []any) Call {
	return func(given []*ag.Tensor) ([]*ag.Tensor, error) {
		tensors, others := given[1:], others
		list := make([]any, len(order))
		for i, isTensor := range order {
			if isTensor {
				list[i], tensors = tensors[0], tensors[1:]
			} else {
				list[i], others = others[0], others[1:]
			}
		}
		out := given[0].Index(list...)
		return []*ag.Tensor{out}, out.Err()
	}
}

// orders are the orders of some true values and some false ones, after a head.
func orders(yes, no int, head []bool) (list [][]bool) {
	if yes == 0 && no == 0 {
		return [][]bool{slices.Clone(head)}
	}
	if yes > 0 {
		list = orders(yes-1, no, append(head, true))
	}
	if no > 0 {
		list = append(list, orders(yes, no-1, append(head, false))...)
	}
	return list
}

// index makes an index of what a tape has: slices stand there as "start:stop:step".
func index(v any) (any, bool) {
	switch v := v.(type) {
	case nil, int, bool, []int:
		return v, true
	case string:
		if v == "ellipsis" {
			return ag.Ellipsis, true
		}
		parts := strings.Split(v, ":")
		if len(parts) != 3 {
			return nil, false
		}
		var bounds [3]any
		for i, p := range parts {
			if p == "" {
				continue
			}
			n, err := strconv.Atoi(p)
			if err != nil {
				return nil, false // a number that was not known
			}
			bounds[i] = n
		}
		return ag.Slice{Start: bounds[0], Stop: bounds[1], Step: bounds[2]}, true
	}
	return nil, false
}
