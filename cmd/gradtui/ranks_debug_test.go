//go:build unix

package main

import (
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

func TestRanksAreDebuggedWhileTheyRun(t *testing.T) {
	if testing.Short() {
		t.Skip("a story with a Python program takes its time")
	}
	python, programs := pythonWithTorch(t), rankPrograms(t)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	s := tuitest.Start(t, standard, "gradtui", "run", "--python", python, "--engine", "torch", "--launcher",
		filepath.Join(programs, "launch.py"), filepath.Join(programs, "train.py"))
	s.Until("rank 0 of 2")
	s.Until("stopped")
	s.Type("n")
	s.Until("about to run")
	s.Type("]") // rank 1 waits for rank 0
	s.Until("rank 1 of 2")
	s.Until("running")
	s.Type("[")
	s.Until("rank 0 of 2")
	s.Type("c")
	s.Until("program ended")
	s.Type("]")
	s.Until("rank 1 of 2")
	s.Until("program ended")
	s.Type("R")
	s.Until("reduced.extra.weight: in step 1-2 a gradient on rank 1, only the reduced one on rank 0")
	s.Keys("esc")
	s.Type("Q")
	s.Exit(0)
}
