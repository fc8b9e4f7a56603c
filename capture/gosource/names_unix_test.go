//go:build unix

package gosource_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/capture/gosource"
)

func TestReadFileDoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo.go")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := gosource.ReadFile(path); err == nil {
		t.Errorf("read %d bytes", len(text))
	}
}
