package nn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
	tapes "github.com/gradtui/gradtui/graph"
)

// story returns what modules, and the operators in them, recorded on a tape.
func story(t *testing.T, tape *tapes.Tape) []string {
	t.Helper()
	for _, problem := range tapes.Validate(tape, 5) {
		t.Error(problem)
	}
	var lines []string
	depth := 0
	for pos := range tape.Len() {
		_, e, err := tape.At(pos)
		if err != nil {
			t.Fatal(err)
		}
		line := ""
		switch e := e.(type) {
		case *tapes.ModuleEntered:
			line = tape.String(e.Type) + " '" + tape.String(e.Path) + "'"
		case *tapes.ModuleLeft:
			depth--
		case *tapes.OpRan:
			line = tape.String(e.Op)
		case *tapes.GradsZeroed:
			line = "zeroed by " + tape.String(e.By)
		case *tapes.ModeChanged:
			line = "mode changed"
		}
		if line != "" {
			lines = append(lines, strings.Repeat("  ", depth)+line)
		}
		if _, entered := e.(*tapes.ModuleEntered); entered {
			depth++
		}
	}
	if depth != 0 {
		t.Errorf("%d modules were entered and not left", depth)
	}
	return lines
}

func TestForwardPassesAreScopesOnTheTape(t *testing.T) {
	net := nn.Sequential(nn.Linear(2, 3), nn.SequentialOf(nn.Child("act", nn.ReLU()), nn.Child("out", nn.Linear(3, 1, nn.NoBias))))
	tape := tapes.NewTape(tapes.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	x := autograd.New([][]float64{{1, 2}})
	if err := net.Forward(x).Err(); err != nil {
		t.Fatal(err)
	}
	if net.Forward(autograd.New([][]float64{{1, 2, 3}})).Err() == nil {
		t.Error("a wrong input does not fail")
	}
	if err := net.ZeroGrad(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Sequential ''", "  Linear '0'", "    t", "    addmm",
		"  Sequential '1'", "    ReLU '1.act'", "      relu", "    Linear '1.out'", "      t", "      mm",
		"Sequential ''", "  Linear '0'", "    t", // and addmm fails
		"zeroed by Sequential",
	}
	got := slices.DeleteFunc(story(t, tape), func(line string) bool { return strings.TrimSpace(line) == "linear" })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name := net.At(1).Child("out").Param("weight").Name(); name != "1.out.weight" {
		t.Errorf("the parameter is called %q", name)
	}
}

func TestMakingALayerSwitchesNoModesOnTheTape(t *testing.T) {
	tape := tapes.NewTape(tapes.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	if err := nn.LSTM(2, 3).Err(); err != nil {
		t.Fatal(err)
	}
	if lines := story(t, tape); slices.Contains(lines, "mode changed") {
		t.Errorf("%q", lines)
	}
}

func TestTheTapeOfEveryLayerIsInOrder(t *testing.T) {
	quiet(t)
	for _, r := range readLayers(t) {
		if r.Error != "" || r.Inputs == nil {
			continue
		}
		t.Run(r.title(), func(t *testing.T) {
			tape := tapes.NewTape(tapes.Limits{})
			_, stop := autograd.Record(tape)
			defer stop()
			m, inputs := r.make(t), r.inputs(t)
			seed(t, 2)
			outs, err := m.Run(inputs...)
			if err != nil {
				t.Fatal(err)
			}
			checkTensors(t, "output", r.Outputs, outs)
			checkBackward(t, r, m, inputs, outs)
			story(t, tape)
		})
	}
}
