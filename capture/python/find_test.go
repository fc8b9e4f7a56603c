package python

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakePython writes a program that gives an answer of a Python, or runs a script.
func fakePython(t *testing.T, path, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func answer(version, implementation string) string {
	return `printf '{"Executable": "%s", "Implementation": "` + implementation + `", "Version": ` + version + `}\n' "$0"`
}

// isolate takes away every Python but those below the folder that it returns.
func isolate(t *testing.T) (dir string) {
	dir = t.TempDir()
	t.Setenv("PATH", filepath.Join(dir, "one")+string(os.PathListSeparator)+filepath.Join(dir, "two")+string(os.PathListSeparator)+".")
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	return dir
}

func TestTheFirstUsablePythonIsFound(t *testing.T) {
	good, old := answer("[3, 12, 1]", "cpython"), answer("[3, 8, 18]", "cpython")
	broken := "echo 'error while loading shared libraries: libpython3.so' >&2; exit 127"
	tests := map[string]struct {
		files   map[string]string
		venv    string
		conda   string
		named   string
		want    string
		skipped []string
		failure string
	}{
		"the active environment": {
			files: map[string]string{"venv/bin/python3": good, "one/python3": good}, venv: "venv",
			want: "venv/bin/python3",
		},
		"an environment without python3": {
			files: map[string]string{"conda/bin/python": good, "one/python3": good}, conda: "conda",
			want: "conda/bin/python",
		},
		"the PATH's python3 comes before its python": {
			files: map[string]string{"one/python": good, "two/python3": good},
			want:  "two/python3",
		},
		"too old and broken ones are skipped": {
			files: map[string]string{"one/python3": old, "two/python3": broken, "two/python": good}, venv: "gone",
			want: "two/python",
			skipped: []string{
				"gone/bin/python3: it does not exist",
				"one/python3: it is Python 3.8.18; 3.9 or newer is needed",
				"two/python3: exit status 127: error while loading shared libraries: libpython3.so",
			},
		},
		"a version in the name": {
			files: map[string]string{"one/python3": old, "two/python3.11": good, "two/python3.8": good},
			want:  "two/python3.11", skipped: []string{"one/python3: it is Python 3.8.18; 3.9 or newer is needed"},
		},
		"another implementation": {
			files: map[string]string{"one/python3": answer("[3, 10, 0]", "pypy"), "two/python3": good},
			want:  "two/python3", skipped: []string{"one/python3: it is pypy; CPython 3.9 or newer is needed"},
		},
		"what prints something first": {
			files: map[string]string{"one/python3": "echo hello\n" + good},
			want:  "one/python3",
		},
		"what is no Python": {
			files: map[string]string{"one/python3": "echo hello", "two/python3": good},
			want:  "two/python3", skipped: []string{"one/python3: it does not answer like a Python"},
		},
		"a named one": {
			files: map[string]string{"other/py": good, "one/python3": good}, named: "other/py",
			want: "other/py",
		},
		"a named environment": {
			files: map[string]string{"venv/bin/python3": good, "one/python3": good}, named: "venv",
			want: "venv/bin/python3",
		},
		"a named one is never replaced": {
			files: map[string]string{"other/py": old, "one/python3": good}, named: "other/py",
			failure: "--python DIR/other/py: it is Python 3.8.18; 3.9 or newer is needed",
		},
		"a named one that does not exist": {
			files: map[string]string{"one/python3": good}, named: "other/py",
			failure: "--python DIR/other/py: no such file or directory",
		},
		"none": {failure: ErrNoPython.Error()},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if embeddedVersion != "" && test.failure == ErrNoPython.Error() {
				t.Skip("this build brings one along")
			}
			dir := isolate(t)
			for file, script := range test.files {
				fakePython(t, filepath.Join(dir, file), script)
			}
			in := func(path string) string {
				if path == "" {
					return ""
				}
				return filepath.Join(dir, path)
			}
			t.Setenv("VIRTUAL_ENV", in(test.venv))
			t.Setenv("CONDA_PREFIX", in(test.conda))
			found, skipped, closed, err := Find(t.Context(), in(test.named))
			if test.failure != "" {
				if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != test.failure {
					t.Errorf("the error is %v, want %s", err, test.failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			closed()
			if found.Path != in(test.want) || found.Interpreter.Version != [3]int{3, 12, 1} {
				t.Errorf("%+v was found, want %s", found, test.want)
			}
			var reasons []string
			for _, c := range skipped {
				reasons = append(reasons, c.Path[len(dir)+1:]+": "+c.Problem.Error())
			}
			if got, want := strings.Join(reasons, "\n"), strings.Join(test.skipped, "\n"); got != want {
				t.Errorf("skipped were\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestThePythonOfTheWorkingDirectoryIsNotUsed(t *testing.T) {
	dir := isolate(t)
	fakePython(t, filepath.Join(dir, "python3"), answer("[3, 12, 1]", "cpython"))
	t.Chdir(dir)
	for _, c := range Candidates(t.Context(), "") {
		if c.From != embedded {
			t.Errorf("%+v was found", c)
		}
	}
}

func TestAnEndOfTheContextEndsTheSearch(t *testing.T) {
	dir := isolate(t)
	fakePython(t, filepath.Join(dir, "one", "python3"), "exec sleep 60")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, _, err := Find(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestAnotherPythonThatHasTorchIsFound(t *testing.T) {
	dir := isolate(t)
	without := answer("[3, 12, 1]", "cpython")
	with := strings.Replace(without, "}", `, "Torch": "2.6.0"}`, 1)
	fakePython(t, filepath.Join(dir, "one", "python3"), without)
	if c := FindPyTorch(t.Context(), "", false); c != nil {
		t.Errorf("found %s, which has no torch", c)
	}
	other := filepath.Join(dir, "two", "python3")
	fakePython(t, other, with)
	if c := FindPyTorch(t.Context(), "", false); c == nil || c.Path != other || c.Interpreter.Torch != "2.6.0" {
		t.Errorf("found %v, want %s", c, other)
	}
	if c := FindPyTorch(t.Context(), other, true); c != nil {
		t.Errorf("found %s, which is known already", c)
	}
	third := filepath.Join(dir, "two", "python3.12")
	fakePython(t, third, with)
	if c := FindPyTorch(t.Context(), other, false); c != nil {
		t.Errorf("found %s, which is called by its version", c)
	}
	if c := FindPyTorch(t.Context(), other, true); c == nil || c.Path != third {
		t.Errorf("found %v, want %s", c, third)
	}
}

func TestPythonsAreAskedForTorchAtOnce(t *testing.T) {
	dir := isolate(t)
	with := strings.Replace(answer("[3, 12, 1]", "cpython"), "}", `, "Torch": "2.6.0"}`, 1)
	for name, other := range map[string]string{"one": "two", "two": "one"} { // each waits for the other one
		asked := filepath.Join(dir, "asked-")
		fakePython(t, filepath.Join(dir, name, "python3"), ": >"+asked+name+"; while [ ! -e "+asked+other+" ]; do :; done; "+with)
	}
	if c, first := FindPyTorch(t.Context(), "", false), filepath.Join(dir, "one", "python3"); c == nil || c.Path != first {
		t.Errorf("found %v, want %s", c, first)
	}
}

func TestAnEngineIsChosenByItsNameOrInTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		engine   Engine
		variable string
		want     bool
	}{{Auto, "", false}, {Auto, "auto", false}, {Builtin, "", true}, {Auto, "builtin", true}, {PyTorch, "auto", true}} {
		t.Setenv(EngineVariable, c.variable)
		if c.engine.Chosen() != c.want {
			t.Errorf("%s with %s=%s: chosen is %v", c.engine, EngineVariable, c.variable, !c.want)
		}
	}
}
