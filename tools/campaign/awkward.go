//go:build unix

package main

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed programs/awkward.txtar
var awkwardPrograms []byte

// changing are the parts of output that differ from run to run.
var changing = regexp.MustCompile(`0x[0-9a-f]+|<pid \d+>|Thread-\d+ \(.*?\)`)

// awkward runs each program with bare Python and below gradtui: what a person sees is the
// same. On the built-in engine there is no bare run to compare with where that Python lacks
// PyTorch; then the programs must only end in the same way twice.
func awkward(l *lab) {
	bare := python(l, "import torch") == nil
	if !bare {
		l.note("%s has no torch: programs are not compared with bare runs", l.python)
	}
	programs := map[string][]txtar.File{}
	for _, f := range txtar.Parse(awkwardPrograms).Files {
		name, rest, _ := strings.Cut(f.Name, "/")
		programs[name] = append(programs[name], txtar.File{Name: rest, Data: f.Data})
	}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		if !bare && l.engine == "torch" {
			l.skip()
			continue
		}
		for _, how := range []struct {
			command string
			before  []string // gradtui's arguments
		}{
			{"run", []string{"run", "--plain"}},
			{"record", []string{"record"}},
		} {
			l.try(name+", "+how.command, func(t *trial) { t.same(programs[name], how.before, bare) })
		}
	}
}

// parent starts a command and ends as it does.
const parent = "import subprocess, sys; code = subprocess.call(sys.argv[1:]); sys.exit(code if code >= 0 else 128 - code)"

// same runs a program twice in folders that look alike.
func (t *trial) same(files []txtar.File, before []string, bare bool) {
	target, args, stdin := []string{"prog.py"}, []string(nil), ""
	for _, f := range files {
		text := string(f.Data)
		switch f.Name {
		case "how":
			target = strings.Fields(text)
		case "args":
			args = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		case "env":
			t.env = append(t.env, strings.Fields(text)...)
		case "stdin":
			stdin = text
		}
	}
	lay := func() {
		for _, f := range files {
			t.write(f.Name, string(f.Data))
		}
	}
	var want result
	lay()
	if bare {
		// It has a parent in its process group, as it has below gradtui.
		line := append([]string{"-I", "-c", parent, t.python}, target...)
		want = t.bare(stdin, t.python, append(line, args...)...)
		t.clear()
		lay()
	}
	command := append(slices.Clone(before), t.engineFlags()...)
	if before[0] == "record" {
		command = append(command, "-o", t.tmp+"/../run.tape")
	}
	if before[0] == "record" && len(args) > 0 {
		args = append([]string{"--"}, args...)
	}
	got := t.command(stdin, t.bin, append(append(command, target...), args...)...)
	t.expectClean()
	if !bare {
		return
	}
	if got.code != want.code {
		t.fail("exit code %d, not %d: %.200s", got.code, want.code, got.stderr)
	}
	differ(t, "stdout", want.stdout, got.stdout)
	differ(t, "stderr", want.stderr, notes.ReplaceAllString(got.stderr, ""))
}

// notes are gradtui's own lines.
var notes = regexp.MustCompile(`(?m)^gradtui: .*\n`)

func differ(t *trial, what, want, got string) {
	want, got = changing.ReplaceAllString(want, "…"), changing.ReplaceAllString(got, "…")
	if want == got {
		return
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			t.fail("%s differs in line %d: %.120q, not %.120q", what, i+1, y, x)
			return
		}
	}
}

// python runs a line of Python outside any trial.
func python(l *lab, code string) (err error) {
	l.try("python", func(t *trial) {
		if r := t.bare("", l.python, "-W", "ignore", "-c", code); r.code != 0 {
			err = fmt.Errorf("%s", r.stderr)
		}
	})
	l.score.tried-- // it was no attempt
	return err
}
