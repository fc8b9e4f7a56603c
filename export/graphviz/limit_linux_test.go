package graphviz

import (
	"errors"
	"testing"

	"github.com/gradtui/gradtui/internal/race"
)

func TestMemoryLimitEndsALayout(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector has memory in store that counts as used")
	}
	// It would take over twice as much: however well the child collects its garbage, the
	// layout does not fit.
	_, err := Render(t.Context(), []byte(layered(8000)), SVG, Options{MaxMemory: 64 << 20})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != "memory" || limit.Limit != "64 MiB" {
		t.Errorf("error %v, want a limit on memory", err)
	}
}
