package target

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/usage"
)

// CutIteration splits NAME#K; 0 stands for the whole of it.
func CutIteration(arg string) (target string, iteration int, err error) {
	i := strings.LastIndexByte(arg, '#')
	if i < 0 {
		return arg, 0, nil
	}
	iteration, err = strconv.Atoi(arg[i+1:])
	if err != nil || iteration == 0 {
		return "", 0, fmt.Errorf("%s: give the number of an iteration after #, or -1 for the last one", cli.OneLine(arg))
	}
	return arg[:i], iteration, nil
}

// Iteration is an iteration of a tape, or all of it.
func Iteration(tape *graph.Tape, name string, iteration int) (compare.Part, error) {
	part := compare.Part{Tape: tape, To: tape.Len()}
	if iteration == 0 {
		return part, nil
	}
	all := usage.Iterations(tape, tape.Len())
	i := iteration - 1
	if iteration < 0 {
		i = len(all) + iteration
	}
	if i < 0 || i >= len(all) {
		return part, fmt.Errorf("%s#%d: there are %d iterations", cli.OneLine(name), iteration, len(all))
	}
	part.From, part.To = all[i].From, all[i].To
	return part, nil
}
