//go:build unix

package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/internal/own"
)

// folders makes a new folder the only place for temporary ones, but for /tmp.
func folders(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := own.Place(dir); err != nil {
		t.Skip("the temporary folder itself cannot be trusted:", err)
	}
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	return dir
}

func made(t *testing.T, fill func(string) error) *Folder {
	t.Helper()
	f, err := Make("a test", fill)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Remove)
	return f
}

func left(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestAFolderIsPrivateAndGoesAway(t *testing.T) {
	dir := folders(t)
	f := made(t, nil)
	if filepath.Dir(f.Path) != dir {
		t.Errorf("it is %s", f.Path)
	}
	if err := own.Folder(f.Path); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(f.Path, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f.Remove()
	f.Remove()
	if names := left(t, dir); names != "" {
		t.Errorf("%s is left", names)
	}
}

func TestWhatKilledProcessesHaveLeftIsRemovedAndNothingElse(t *testing.T) {
	dir := folders(t)
	living := made(t, nil)
	for _, name := range []string{prefix + "dead", "other", "gradtui-of-another-program"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, prefix+"file"), nil, 0o600),
		os.Symlink("other", filepath.Join(dir, prefix+"link")))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(living.Path), prefix + "file", prefix + "link", "gradtui-of-another-program", "other"}
	if os.Geteuid() == 0 {
		theirs := filepath.Join(dir, prefix+"theirs")
		if err := errors.Join(os.Mkdir(theirs, 0o700), os.Chown(theirs, 54321, 54321)); err != nil {
			t.Fatal(err)
		}
		want = append(want, prefix+"theirs")
	}
	swept.Clear() // this is another process
	next := made(t, nil)
	names := left(t, dir)
	for _, name := range append(want, filepath.Base(next.Path)) {
		if !strings.Contains(names, name) {
			t.Errorf("%s is gone", name)
		}
	}
	if strings.Contains(names, prefix+"dead") {
		t.Error("what a killed process left is still there")
	}
}

func TestTheWorkForOthersIsBounded(t *testing.T) {
	dir := folders(t)
	for i := range mostRemoved + 10 {
		if err := os.Mkdir(filepath.Join(dir, prefix+strings.Repeat("x", i+1)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f := made(t, nil)
	f.Remove()
	if n := len(strings.Fields(left(t, dir))); n != 10 {
		t.Errorf("%d are left", n)
	}
}

func TestWhereAFolderCannotBeFilledTheNextPlaceIsTried(t *testing.T) {
	first, second := folders(t), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", second)
	full := errors.New("no space left on device")
	f := made(t, func(dir string) error {
		if filepath.Dir(dir) == first {
			return full
		}
		return nil
	})
	if filepath.Dir(f.Path) != second || left(t, first) != "" {
		t.Errorf("it is %s; in the first place are %q", f.Path, left(t, first))
	}
	_, err := Make("a test", func(string) error { return full })
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "for a test") || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Error(err)
	}
}

func TestAPlaceThatOthersCanChangeIsNotUsed(t *testing.T) {
	first, second := folders(t), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", second)
	for _, mode := range []os.FileMode{0o777, 0o770 | os.ModeSticky} {
		if err := os.Chmod(first, mode); err != nil {
			t.Fatal(err)
		}
		f := made(t, nil)
		if mode&os.ModeSticky != 0 != (filepath.Dir(f.Path) == first) {
			t.Errorf("mode %v: it is %s", mode, f.Path)
		}
	}
}

func TestASocketIsMadeWhereItsPathIsShortEnough(t *testing.T) {
	dir := folders(t)
	long := filepath.Join(dir, strings.Repeat("d", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	f := made(t, func(dir string) error {
		l, err := Listen(dir)
		if err == nil {
			err = l.Close()
		}
		return err
	})
	if strings.HasPrefix(f.Path, long) || left(t, long) != "" {
		t.Errorf("it is %s; at the long path are %q", f.Path, left(t, long))
	}
	if _, err := Listen(long); err == nil || !strings.Contains(err.Error(), "the path of a socket may have") {
		t.Error(err)
	}
}

func TestAllocatedFilesHaveNoHoles(t *testing.T) {
	f, err := Allocate(filepath.Join(t.TempDir(), "file"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() != 1<<20 || blocks(info) < 1<<20 {
		t.Errorf("%d bytes of %d have a place on the disk (%v)", blocks(info), info.Size(), err)
	}
}

// blocks is how many bytes a file takes on the disk.
func blocks(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Blocks * 512 }
