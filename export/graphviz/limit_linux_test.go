package graphviz

import (
	"errors"
	"testing"
)

func TestMemoryLimitEndsALayout(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has memory in store that counts as used")
	}
	_, err := Render(t.Context(), []byte(layered(2000)), SVG, Options{MaxMemory: 16 << 20})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != "memory" || limit.Limit != "16 MiB" {
		t.Errorf("error %v, want a limit on memory", err)
	}
}
