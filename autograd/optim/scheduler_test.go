package optim_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
)

// schedules makes the schedulers of tools/record/schedules.py.
var schedules = map[string]func(o *optim.Optimizer) (*optim.Scheduler, error){
	"step":        func(o *optim.Optimizer) (*optim.Scheduler, error) { return optim.NewStepLR(o, 3, 0.1) },
	"step of one": func(o *optim.Optimizer) (*optim.Scheduler, error) { return optim.NewStepLR(o, 1, 0.7) },
	"exponential": func(o *optim.Optimizer) (*optim.Scheduler, error) { return optim.NewExponentialLR(o, 0.9) },
	"one function": func(o *optim.Optimizer) (*optim.Scheduler, error) {
		return optim.NewLambdaLR(o, func(epoch int) float64 { return 1 / (1 + float64(epoch)) })
	},
	"two functions": func(o *optim.Optimizer) (*optim.Scheduler, error) {
		return optim.NewLambdaLR(o, func(epoch int) float64 { return 1 - float64(epoch)/20 }, func(epoch int) float64 { return float64(epoch / 4) })
	},
}

type scheduleRecords struct {
	Schedules map[string]struct {
		Repr  string
		Rates [][]string
	}
	Early string
}

func readSchedules(t *testing.T) scheduleRecords {
	t.Helper()
	text, err := os.ReadFile("testdata/schedules.json")
	if err != nil {
		t.Fatal(err)
	}
	var r scheduleRecords
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSchedulesSetPyTorchsLearningRates(t *testing.T) {
	recorded := readSchedules(t).Schedules
	if len(recorded) != len(schedules) {
		t.Errorf("%d schedules are recorded, %d are tested", len(recorded), len(schedules))
	}
	for name, want := range recorded {
		t.Run(name, func(t *testing.T) {
			groups := []optim.Group{{Params: list(leaf(1))}, {Params: list(leaf(1)), Settings: []autograd.Option{autograd.Kw("lr", 1)}}}
			o := must(optim.New("SGD", groups, optim.LR(0.3)))
			s, err := schedules[name](o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Repr, o.String()); diff != "" {
				t.Errorf("the optimizer (-PyTorch +here):\n%s", diff)
			}
			for epoch, rates := range want.Rates {
				if diff := cmp.Diff(plainHex(rates), hexed(autograd.FromFloat64s(s.LastLR(), 2))); diff != "" {
					t.Errorf("epoch %d (-PyTorch +here):\n%s", epoch, diff)
				}
				if s.Epoch() != epoch {
					t.Errorf("epoch %d, want %d", s.Epoch(), epoch)
				}
				if err := o.Step(); err != nil {
					t.Fatal(err)
				}
				if err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestASchedulersStepBeforeTheOptimizersWarnsOnce(t *testing.T) {
	var got string
	before := autograd.OnWarning
	autograd.OnWarning = func(w autograd.Warning) { got += w.Category + ": " + w.Text }
	defer func() { autograd.OnWarning = before }()
	s, err := optim.NewStepLR(must(optim.NewSGD(list(leaf(1)))), 3, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if want := readSchedules(t).Early; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestSchedulesThatCannotBeAreRefused(t *testing.T) {
	o := must(optim.NewSGD(list(leaf(1))))
	if _, err := optim.NewLambdaLR(o); err == nil || err.Error() != "ValueError: Expected 1 lr_lambdas, but got 0" {
		t.Error(err)
	}
	if _, err := optim.NewExponentialLR(nil, 0.5); err == nil || err.Error() != "TypeError: NoneType is not an Optimizer" {
		t.Error(err)
	}
	if _, err := optim.NewLambdaLR(o, nil); err == nil {
		t.Error("a nil function is accepted")
	}
	s, err := optim.NewStepLR(o, 0, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Step(); err == nil || err.Error() != "ZeroDivisionError: integer modulo by zero" {
		t.Error(err)
	}
	for _, s := range []*optim.Scheduler{nil, new(optim.Scheduler)} {
		if err := s.Step(); err == nil || s.Epoch() != 0 || s.LastLR() != nil {
			t.Errorf("%v, epoch %d, %v", err, s.Epoch(), s.LastLR())
		}
	}
}
