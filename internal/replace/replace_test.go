package replace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAPartReplacesAFileWhenItIsFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	part := path + ".part"
	// What a killed process has left.
	if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.WriteFile(part, []byte("left"), 0o600)); err != nil {
		t.Fatal(err)
	}
	f, err := Create(part, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if runtime.GOOS != "windows" {
		if _, err := Create(part, 0o600); err == nil || !strings.Contains(err.Error(), "another gradtui is writing") {
			t.Error(err)
		}
	}
	if err := Finish(f, path); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "new" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if _, err := os.Lstat(part); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestAPartIsNeverALink(t *testing.T) {
	dir := t.TempDir()
	victim, part := filepath.Join(dir, "victim"), filepath.Join(dir, "part")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, part)); err != nil {
		t.Skip(err)
	}
	if _, err := Create(part, 0o600); err == nil {
		t.Error("there is no error")
	}
	if got, err := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("it holds %q, %v", got, err)
	}
}
