package pytorch_test

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
)

// builtin records an example with the built-in engine.
func builtin(t *testing.T, e examples.Example) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	e.Run(io.Discard)
	return tape
}

// TestTheTapeIsThatOfTheBuiltInEngine: the records of a program whose backward passes are
// observed node by node make the events that the built-in engine made.
func TestTheTapeIsThatOfTheBuiltInEngine(t *testing.T) {
	for _, e := range examples.All {
		t.Run(e.Name, func(t *testing.T) {
			tape := builtin(t, e)
			got, err := translate(encode(mirrorOf(tape, true)))
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(lines(text(t, tape), unlike), lines(text(t, got), unlike)); diff != "" {
				t.Errorf("-built-in +translated:\n%s", head(diff))
			}
		})
	}
}

// TestADerivedPassEqualsTheBuiltInEngines: the same nodes run in the same order when they are
// not observed.
func TestADerivedPassEqualsTheBuiltInEngines(t *testing.T) {
	for _, e := range examples.All {
		t.Run(e.Name, func(t *testing.T) {
			tape := builtin(t, e)
			got, err := translate(encode(mirrorOf(tape, false)))
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(passes(text(t, tape)), passes(text(t, got))); diff != "" {
				t.Errorf("-built-in +translated:\n%s", head(diff))
			}
		})
	}
}

// unlike is what the records do not tell: call stacks here, the sums of gradients that are
// not whole, and how PyTorch shows negative numbers.
var unlike = regexp.MustCompile(` @\d+| inner=\d+| raw=\[[^]]*\]| sum=\([^)]*\)| flags=existing|\|existing|" type=u?ints?`)

func lines(text string, without *regexp.Regexp) (out []string) {
	arrived := map[string]int{}
	for line := range strings.Lines(text) {
		arrived[alone.FindString(line)]++
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "stack ") || strings.Contains(line, " raw=") && arrived[alone.FindString(line)] == 1 {
			continue
		}
		out = append(out, without.ReplaceAllString(line, ""))
		// The built-in engine announces a number after the change that it is for.
		for i := len(out) - 1; i > 0 && strings.HasPrefix(out[i], "tensor-created") && strings.HasPrefix(out[i-1], "mutated"); i-- {
			out[i], out[i-1] = out[i-1], out[i]
		}
	}
	return out
}

// alone finds where a gradient arrived. The built-in engine records one that comes alone
// if it was summed over broadcast dimensions, which the records do not show.
var alone = regexp.MustCompile(`^grad-arrived @\d+ backward=\d+ node=\d+ `)

var values = regexp.MustCompile(` @\d+| inner=\d+| (in|out)=\[\(.*\)\]| (grad|sum|added|value)=\([^)]*\)| raw=\[[^]]*\]`)

// passes are the events of backward passes, without values.
func passes(text string) (out []string) {
	for _, line := range lines(text, values) {
		for _, kind := range []string{"backward-", "node-ready", "node-executed", "grad-arrived", "saved-freed", "grad-accumulated"} {
			if strings.HasPrefix(line, kind) {
				out = append(out, line)
			}
		}
	}
	return out
}

func head(text string) string {
	all := strings.Split(text, "\n")
	return strings.Join(all[:min(len(all), 60)], "\n")
}
