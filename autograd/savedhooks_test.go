package autograd

import (
	"errors"
	"strings"
	"testing"
)

// The expectations in this file are PyTorch 2.6's results for the same
// programs.

func identityHooks() SavedTensorHooks {
	return SavedTensorHooks{
		Pack:   func(t *Tensor) (any, error) { return t, nil },
		Unpack: func(packed any) (*Tensor, error) { return packed.(*Tensor), nil },
	}
}

func TestHooksKeepSavedTensors(t *testing.T) {
	x := New([]any{1.0, 2.0}).RequiresGrad_(true)
	var log []string
	h := SavedTensorHooks{
		Pack: func(t *Tensor) (any, error) {
			log = append(log, "pack")
			return t.Detach().Mul(10), nil
		},
		Unpack: func(packed any) (*Tensor, error) {
			log = append(log, "unpack")
			return packed.(*Tensor), nil
		},
	}
	var y *Tensor
	if err := WithSavedTensorHooks(h, func() { y = x.Mul(x).Exp() }); err != nil {
		t.Fatal(err)
	}
	if err := y.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(log, " "); got != "pack pack pack unpack unpack unpack" {
		t.Error("hooks ran as", got)
	}
	// d exp(x²) = 10·exp(x²)·(10x + 10x)
	if got, want := x.Grad().String(), "tensor([  543.6564, 21839.2598])"; got != want {
		t.Errorf("gradient %s, want %s", got, want)
	}
}

func TestVersionsOfPackedTensorsAreNotChecked(t *testing.T) {
	x := New([]any{1.0, 2.0}).RequiresGrad_(true)
	y := x.Mul(1)
	var z *Tensor
	WithSavedTensorHooks(identityHooks(), func() { z = y.Mul(y) })
	y.Mul_(10)
	if err := z.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	if got := x.Grad().String(); got != "tensor([20., 40.])" {
		t.Error(got)
	}
}

func TestASlotTakesOnePairOfHooks(t *testing.T) {
	x := New([]any{1.0, 2.0}).RequiresGrad_(true)
	y := x.Exp()
	fn, _ := y.GradFn()
	slot := fn.RawSaved("result")[0]
	if err := slot.RegisterHooks(identityHooks()); err != nil {
		t.Fatal(err)
	}
	err := slot.RegisterHooks(identityHooks())
	if err == nil || !strings.Contains(err.Error(), "whose hooks have already been set") {
		t.Error(err)
	}
	if err := y.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	err = fn.RawSaved("result")[0].RegisterHooks(identityHooks())
	if err == nil || !strings.Contains(err.Error(), "after it has been freed") {
		t.Error(err)
	}
}

func TestHooksThatFail(t *testing.T) {
	x := New([]any{1.0, 2.0}).RequiresGrad_(true)
	mine := errors.New("mine")
	h := identityHooks()
	h.Pack = func(*Tensor) (any, error) { return nil, mine }
	WithSavedTensorHooks(h, func() {
		if err := x.Exp().Err(); !strings.Contains(err.Error(), "mine") {
			t.Error(err)
		}
	})
	h = identityHooks()
	h.Pack = func(t *Tensor) (any, error) { return t, t.Mul_(2) }
	WithSavedTensorHooks(h, func() {
		if err := x.Mul(1).Exp().Err(); err == nil || !strings.Contains(err.Error(), "pack hook is modifying its input in place") {
			t.Error(err)
		}
	})
	message := "no hooks"
	if _, err := DisableSavedTensorHooks(&message); err != nil {
		t.Fatal(err)
	}
	if err := WithSavedTensorHooks(identityHooks(), func() {}); err == nil || !strings.Contains(err.Error(), message) {
		t.Error(err)
	}
	DisableSavedTensorHooks(nil)
}
