//go:build unix

package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/internal/regular"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]string{
		"pipe": "it is a named pipe, not a file", "link": "it is a named pipe, not a file",
		".": "it is a folder, not a file", "/dev/null": "it is a device, not a file",
	} {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(dir, name)
			if _, err := regular.OpenIn(root, name); err == nil {
				t.Errorf("%s was opened below its folder", name)
			}
		}
		_, err := regular.Read(path, 10)
		var not *regular.Error
		if !errors.As(err, &not) || not.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if text, err := regular.Read(file, 4); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := regular.Read(file, 3); err == nil {
		t.Error("a file was read that is too long")
	}
}
