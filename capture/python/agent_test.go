package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// installedPythons are the interpreters that programs may run in: those on the PATH
// and pyenv's.
func installedPythons(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"python3", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		more, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions/3.*/bin/python3"))
		found = append(found, more...)
	}
	var usable []string
	var versions []string
	for _, path := range found {
		out, err := exec.Command(path, "-c", "import sys; sys.version_info >= (3, 9) and print(sys.version)").Output()
		if v := string(out); err == nil && v != "" && !slices.Contains(versions, v) {
			usable, versions = append(usable, path), append(versions, v)
		}
	}
	return usable
}

func TestTheAgentWorksInEveryPython(t *testing.T) {
	pythons := installedPythons(t)
	if len(pythons) == 0 {
		t.Skip("there is no Python")
	}
	src, err := filepath.Abs("../../python/src")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pythons {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(path)))+"/"+filepath.Base(path), func(t *testing.T) {
			cmd := exec.Command(path, "-m", "unittest", "discover", "-s", "../../python/tests")
			cmd.Env = append(os.Environ(), "PYTHONPATH="+src, "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
		})
	}
}
