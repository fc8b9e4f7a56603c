//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

const overwrites = `import torch

w = torch.ones(3, requires_grad=True)
for i in range(4):
    y = w.exp()
    if i == 2:
        y.add_(1)
    y.sum().backward()
`

// A user mends a program beside the debugger, with an editor that replaces the file, and breaks it again.
func TestAnEditedProgramIsRunAgain(t *testing.T) {
	path := programFile(t, overwrites)
	save := func(text string) {
		t.Helper()
		if err := os.WriteFile(path+"~", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+"~", path); err != nil {
			t.Fatal(err)
		}
	}
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 40}, "gradtui", "run", "--no-session", path)
	s.Until("stopped")
	s.Type("c")
	s.Until("inplace-saved-tensor")
	mended := "# A comment.\n\n" + strings.Replace(overwrites, "y.add_(1)", "y = y.add(1)", 1)
	save(mended)
	s.Until("prog.py was edited: R runs it again")
	s.Until("prog.py:8 as it ran; edited since")
	s.Type("R")
	s.Until("prog.py:10 · findings: gone: inplace-saved-tensor prog.py:7")
	s.Until("─2 Source prog.py:10 in <module>")
	s.Until("the program waits")
	s.Type(":rerun on")
	s.Keys("enter")
	s.Until("is run again when one of its files is saved")
	save("\n\n" + mended[len("# A comment.\n"):len(mended)-1] + "(\n")
	s.Until("SyntaxError")
	save("# One.\n# Two.\n# Three.\n" + overwrites)
	s.Until("findings: gone: ended with SyntaxError prog.py:11;")
	s.Until("new: inplace-saved-tensor prog.py:10")
	s.Type("Q")
	s.Exit(0)
}
