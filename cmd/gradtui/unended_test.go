package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// TestATapeWithoutItsEndSaysSo: no command takes a part of a program for all of it, and a
// check of it is not complete.
func TestATapeWithoutItsEndSaysSo(t *testing.T) {
	written := func(tape *graph.Tape, path string, closed bool) {
		t.Helper()
		w, err := tapefile.Create(path, tape.Info(), tapefile.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		end := w.Close
		if !closed {
			end = func() error { return nil }
		}
		if err := errors.Join(w.Flush(tape), end()); err != nil {
			t.Fatal(err)
		}
	}
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(graph.Info{Program: "prog.py"})
	tape.Append(graph.Header{}, &graph.ModeChanged{Mode: graph.GradMode})
	dir := t.TempDir()
	killed, cut, damaged := filepath.Join(dir, "killed.tape"), filepath.Join(dir, "cut.tape"), filepath.Join(dir, "damaged.tape")
	written(tape, killed, false)
	data, err := os.ReadFile(killed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, append(data, data[len(data)-20:]...)[:len(data)+10], 0o600); err != nil {
		t.Fatal(err)
	}
	capture.RecordDamage(tape, errors.New("the program sent a damaged record"))
	tape.Append(graph.Header{}, &graph.OutputWritten{Text: "it goes on\n"})
	written(tape, damaged, true)

	type said struct {
		Code   int
		Output string
	}
	run := func(args ...string) said {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
		cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1")
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return said{cmd.ProcessState.ExitCode(), strings.Join(strings.Fields(strings.ReplaceAll(string(out), dir+"/", "")), " ")}
	}
	for name, want := range map[string][]said{
		killed: {
			{2, "note: the check is not complete: killed.tape has no end: gradtui was killed while recording, or is still recording; using the 1 events before it no problems found in 0 operations, 0 backward passes"},
			{1, "1 events in 1 blocks, format 2.0 damaged tape: the index is missing, the writer did not finish"},
		},
		damaged: {
			{2, "note: the check is not complete: the recording stopped before the program did: the program sent a damaged record no problems found in 0 operations, 0 backward passes"},
			{1, "3 events in 1 blocks, format 2.0 the recording is not complete: the program sent a damaged record"},
		},
	} {
		if diff := cmp.Diff(want, []said{run("check", name), run("tape", "verify", name)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filepath.Base(name), diff)
		}
	}
	if got := run("check", cut); got.Code != 2 {
		t.Errorf("a tape that was cut: %+v", got)
	}
	for _, name := range []string{killed, damaged} {
		if got := run("stat", name); got.Code != 0 || !strings.Contains(got.Output, "is not complete") && !strings.Contains(got.Output, "has no end") {
			t.Errorf("stat %s: %+v", filepath.Base(name), got)
		}
	}
}
