package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gradtui/gradtui/graph/tapefile"
)

// TestATapeSurvivesAKill kills gradtui with a signal that it cannot catch while
// the program runs: what was flushed before is on the tape.
func TestATapeSurvivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.tape")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "record", "./testdata/train", "-o", path, "--", "--wait")
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1", "TMPDIR="+t.TempDir()) // what a killed gradtui leaves behind
	cmd.Stderr = t.Output()
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	events := 0
	for poll := time.NewTicker(20 * time.Millisecond); events == 0; <-poll.C {
		if t.Context().Err() != nil {
			t.Fatal("nothing was flushed")
		}
		if r, err := tapefile.OpenReader(path, tapefile.Options{}); err == nil {
			events, err = r.More()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	input.Close() // the program ends, and with it its hold on our streams
	cmd.Wait()
	tape, report, err := tapefile.Open(path, tapefile.Options{})
	if err != nil || report.Damage != nil {
		t.Fatal(err, report)
	}
	if int(tape.Len()) < events {
		t.Errorf("%d events are left of %d", tape.Len(), events)
	}
}
