//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

// The editor has the terminal while it runs, and the debugger is back afterwards.
func TestALineIsEditedInTheTerminal(t *testing.T) {
	path := programFile(t, trained)
	vim := filepath.Join(t.TempDir(), "vim")
	if err := os.WriteFile(vim, []byte("#!/bin/sh\necho \"editing $1 $(basename \"$2\")\"\nread answer\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24, Env: []string{"EDITOR=" + vim, "VISUAL="}}, "gradtui", "run", "--no-session", path)
	s.Until("stopped")
	s.Type("u")
	s.Until("prog.py:")
	s.Type("E")
	s.Until("editing +")
	s.Until(" prog.py")
	s.Keys("enter")
	s.Until("━1 Graph")
	s.Type("Q")
	s.Exit(0)
}
