//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

// waiting runs a command in a terminal with a program that ends with the returned function.
func waiting(t *testing.T, args ...string) (s *tuitest.Session, end func()) {
	needsPython(t)
	file := filepath.Join(t.TempDir(), "end")
	s = tuitest.Start(t, tuitest.Terminal{Columns: 60, Rows: 24}, "gradtui", append(args, "testdata/waits.py", "--", file)...)
	return s, func() {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
}

func TestProgressIsShownWhileAProgramRunsAndIsGoneAtTheEnd(t *testing.T) {
	s, end := waiting(t, "check")
	s.UntilRow(func(line string) bool {
		return strings.HasPrefix(line, "gradtui: running waits.py: ") && strings.Contains(line, " events, ")
	})
	end()
	s.Until("no problems found")
	s.Exit(0)
	if screen := s.Screen(); strings.Contains(screen, "running") || strings.Contains(screen, "printed") || !strings.HasPrefix(screen, "no problems found") {
		t.Errorf("after the end:\n%s", screen)
	}
}

func TestAProgramThatSharesTheTerminalHasItForItself(t *testing.T) {
	s, end := waiting(t, "check", "--show-output", "--verbose")
	s.Until("printed by the program")
	end()
	s.Until("no problems found")
	s.Exit(0)
	if raw := string(s.Raw()); strings.Contains(raw, "\r\x1b[K") {
		t.Errorf("progress was shown:\n%q", raw)
	}
	for _, said := range []string{"gradtui: Python: ", "gradtui: cache: ", "gradtui: engine: builtin", "gradtui: running waits.py: ", "gradtui: running the rules: "} {
		if !strings.Contains(s.Screen(), said) {
			t.Errorf("--verbose does not say %q:\n%s", said, s.Screen())
		}
	}
}

func TestProgressOfACheckScriptIsShownAndItsOutputStandsAlone(t *testing.T) {
	dir := t.TempDir()
	tape, script, out := filepath.Join(dir, "run.tape"), filepath.Join(dir, "slow.star"), filepath.Join(dir, "report")
	if code, said := did(t, "", "demo", "inplace", "--plain", "-o", tape); code != cli.ExitOK {
		t.Fatal(said)
	}
	// Its few steps take longer than it may, and that is longer than what is not shown.
	writeSlowScript(t, script)
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 500}, "gradtui", "check", tape, "--script", script, "--script-timeout", "2s", "-o", out)
	s.Exit(cli.ExitFailed)
	if raw := string(s.Raw()); !strings.Contains(raw, "gradtui: running check script slow.star: ") {
		t.Errorf("no progress was shown:\n%q", raw)
	}
	for line := range strings.Lines(s.Screen()) {
		if line = strings.TrimSpace(line); strings.Contains(line, "said") && line != "said" || strings.Contains(line, "running") {
			t.Errorf("the screen has the line %q", line)
		}
	}
}

// writeSlowScript writes a check script that takes long and prints lines "said".
func writeSlowScript(t *testing.T, path string) {
	t.Helper()
	text := "numbers = list(range(1 << 19))\ndef run():\n    for i in range(10000):\n        print(\"said\")\n        sorted(numbers, reverse = i % 2 == 0)\nrun()\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCtrlCRemovesTheLineOfProgress(t *testing.T) {
	takesInterrupts(t)
	dir := t.TempDir()
	tape, script := filepath.Join(dir, "run.tape"), filepath.Join(dir, "slow.star")
	if code, said := did(t, "", "demo", "inplace", "--plain", "-o", tape); code != cli.ExitOK {
		t.Fatal(said)
	}
	writeSlowScript(t, script)
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 500}, "gradtui", "check", tape, "--script", script, "--script-timeout", "5m")
	s.Row("gradtui: running check script slow.star: ")
	s.Keys("ctrl+c")
	const signalled = -1 // as by any interrupt that nothing takes
	s.Exit(signalled)
	if screen := s.Screen(); strings.Contains(screen, "running check script") {
		t.Errorf("the line is still there:\n%s", screen)
	}
}
