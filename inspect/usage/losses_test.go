package usage_test

import (
	"math"
	"testing"

	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/usage"
)

func TestLossesAreWhatPassesBeginFrom(t *testing.T) {
	tape := testtape.FromText(t, `+0s tensor-created @0 tensor=1 storage=1 bytes=4 counter=1 dtype=float32 shape=[] value=(dtype=float32 count=1 whole=measured first=[0.5])
+0s name-bound @0 name="loss" tensor=1
+0s backward-began @0 backward=1 roots=[(tensor=1)]
+0s backward-ended @0 backward=1
+0s tensor-created @0 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2]
+0s backward-began @0 backward=2 roots=[(tensor=2)]
+0s backward-ended @0 backward=2
+0s backward-began @0 backward=3 roots=[(tensor=1),(tensor=2)]
+0s backward-ended @0 backward=3
`)
	all := usage.Losses(tape, tape.Len())
	if len(all) != 2 || all[0] != (usage.Loss{At: 2, Name: "loss", Value: 0.5}) || all[1].At != 5 || !math.IsNaN(all[1].Value) {
		t.Errorf("%+v", all)
	}
	if early := usage.Losses(tape, 4); len(early) != 1 {
		t.Errorf("up to event 4: %+v", early)
	}
}
