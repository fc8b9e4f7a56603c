package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines are the lines that a command prints in a folder, sorted.
func lines(t *testing.T, dir, command string, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", command, strings.Join(args, " "), err)
	}
	found := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	slices.Sort(found)
	return found
}

// What Python, pip and editors leave beside the sources must not get into the command.
func TestTheCommandEmbedsTheFilesThatGitTracks(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("skipped outside a checkout")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped without git")
	}
	const list = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	tracked := lines(t, root, "git", "ls-files")
	embedded := lines(t, root, "go", "list", "-deps", "-f", list, "./cmd/gradtui")
	if len(embedded) < 100 {
		t.Errorf("only %d embedded files", len(embedded))
	}
	var python []string
	for _, path := range embedded {
		path, err := filepath.Rel(root, filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.ToSlash(path)
		if _, found := slices.BinarySearch(tracked, path); !found {
			t.Errorf("%s is embedded, and git does not track it", path)
		}
		if strings.HasPrefix(path, "python/") {
			python = append(python, path)
		}
	}
	if diff := cmp.Diff(lines(t, root, "git", "ls-files", "python/boot/*.py", "python/src/*.py", "python/builtin/*.py", "python/probe.py"), python); diff != "" {
		t.Errorf("embedded Python files (-tracked +embedded):\n%s", diff)
	}
}
