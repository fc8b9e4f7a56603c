package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// anyPython finds the Python that programs would run in.
func anyPython(t *testing.T) *Interpreter {
	t.Helper()
	found, _, closed, err := Find(t.Context(), "")
	if err != nil {
		t.Skip("skipped without a Python: ", err)
	}
	t.Cleanup(closed)
	return found.Interpreter
}

var twoModules = fstest.MapFS{
	"ours/__init__.py": {Data: []byte("from .inner import value\n")},
	"ours/inner.py":    {Data: []byte("value = 42\n")},
}

// imports runs a program with a folder on its path.
func imports(t *testing.T, p *Interpreter, dir string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.Executable, "-v", "-c", "import ours; print(ours.value)")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestPythonFilesAreCompiledOnce(t *testing.T) {
	p := anyPython(t)
	useCache(t, t.TempDir())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := unpackFiles(t.Context(), twoModules, p); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	u, err := unpackFiles(t.Context(), twoModules, p)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := filepath.Glob(filepath.Join(u.dir, "ours", "__pycache__", "*.pyc"))
	if err != nil || len(compiled) != 2 {
		t.Fatalf("compiled are %q (%v)", compiled, err)
	}
	out := imports(t, p, u.dir)
	if !strings.Contains(out, "\n42\n") || strings.Contains(out, "# code object from "+filepath.Join(u.dir, "ours", "inner.py")) {
		t.Errorf("the compiled file was not used:\n%s", out)
	}

	// A compiled file that is damaged is as bad as a source.
	if err := os.Truncate(compiled[0], 20); err != nil {
		t.Fatal(err)
	}
	if u, err = unpackFiles(t.Context(), twoModules, p); err != nil {
		t.Fatal(err)
	}
	if out := imports(t, p, u.dir); !strings.Contains(out, "\n42\n") {
		t.Errorf("the program printed\n%s", out)
	}
}

func TestOtherFilesAreUnpackedToAnotherFolder(t *testing.T) {
	p := &Interpreter{Bytecode: "x"}
	name, err := contentsName(twoModules, p)
	if err != nil {
		t.Fatal(err)
	}
	for what, files := range map[string]fstest.MapFS{
		"text": {"ours/__init__.py": twoModules["ours/__init__.py"], "ours/inner.py": {Data: []byte("value = 43\n")}},
		"name": {"ours/__init__.py": twoModules["ours/__init__.py"], "ours/other.py": twoModules["ours/inner.py"]},
		"less": {"ours/__init__.py": twoModules["ours/__init__.py"]},
	} {
		if other, err := contentsName(files, p); err != nil || other == name {
			t.Errorf("another %s gives the name %s as well (%v)", what, other, err)
		}
	}
	if other, err := contentsName(twoModules, &Interpreter{Bytecode: "y"}); err != nil || other == name {
		t.Errorf("another Python gives the name %s as well (%v)", other, err)
	}
}

func TestAFolderForContributorsTakesThePlaceOfTheFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FilesVariable, dir)
	if _, err := unpackOurs(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "there is no boot/sitecustomize.py in it") {
		t.Errorf("the error is %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, bootFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, bootFolder, "sitecustomize.py"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := unpackOurs(t.Context(), nil)
	if err != nil || u.dir != dir {
		t.Fatalf("%+v, %v", u, err)
	}
	u.close()
	if !isFile(filepath.Join(dir, bootFolder, "sitecustomize.py")) {
		t.Error("the folder is gone")
	}
}
