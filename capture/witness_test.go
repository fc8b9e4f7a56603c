//go:build unix

package capture

import (
	"syscall"
	"testing"
)

func TestAWitnessKnowsWhetherTheGroupWasSignalled(t *testing.T) {
	w := newWitness(false)
	defer w.close()
	for range 2 {
		if w.signalled() {
			t.Error("a signal is said to be the group's, which has got none")
		}
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			if err := w.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if !w.signalled() {
				t.Errorf("%v was not noticed", sig)
			}
		}
	}
}

func TestWithoutAWitnessATerminalSignalsTheGroup(t *testing.T) {
	t.Setenv("PATH", "")
	for _, inTerminal := range []bool{true, false} {
		w := newWitness(inTerminal)
		if got := w.signalled(); got != inTerminal {
			t.Errorf("in a terminal %v: %v", inTerminal, got)
		}
		w.close()
	}
}
