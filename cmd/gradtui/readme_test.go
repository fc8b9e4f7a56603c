package main

import (
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commandLines are the calls of gradtui in a text, without what a comment says.
func commandLines(text string) (lines [][]string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		line, _, _ = strings.Cut(line, "   ") // an explanation
		if rest, ok := strings.CutPrefix(line, "gradtui "); ok {
			lines = append(lines, strings.Fields(rest))
		}
	}
	return lines
}

func TestTheCommandsOfTheDocumentationExist(t *testing.T) {
	texts := []string{readme(t)}
	for _, c := range newRoot(cli.Streams{}).Commands() {
		texts = append(texts, c.Example)
	}
	lines := commandLines(strings.Join(texts, "\n"))
	if len(lines) < 15 {
		t.Errorf("only %d commands were found", len(lines))
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("train.py", nil, 0o600); err != nil { // a program alone is a command when there is one
		t.Fatal(err)
	}
	for _, args := range lines {
		root := newRoot(cli.Streams{})
		c, rest, err := root.Find(withCommand(root, args))
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err != nil {
			t.Errorf("gradtui %s: %v", strings.Join(args, " "), err)
		}
	}
}
