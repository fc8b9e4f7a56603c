//go:build unix

package own

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// other is the number of a user that is neither this one nor root.
const other = 54321

func made(t *testing.T, dir string, mode os.FileMode) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, mode)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
}

// folder is an empty folder in a place that can be trusted.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := Place(dir); err != nil {
		t.Skip("the temporary folder itself cannot be trusted:", err)
	}
	return dir
}

func refused(t *testing.T, err error, why string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("the error is %v, want one that says %q", err, why)
	}
}

func TestAFolderThatOthersCanChangeIsRefused(t *testing.T) {
	dir := folder(t)
	if err := Folder(made(t, filepath.Join(dir, "mine"), 0o700)); err != nil {
		t.Error(err)
	}
	refused(t, Folder(made(t, filepath.Join(dir, "all"), 0o777)), "others may write")
	refused(t, Folder(made(t, filepath.Join(dir, "sticky"), 0o777|os.ModeSticky)), "others may write")
	made(t, filepath.Join(dir, "all", "below"), 0o700)
	refused(t, Folder(filepath.Join(dir, "all", "below")), "others may write to "+filepath.Join(dir, "all"))
	if err := Folder(made(t, filepath.Join(dir, "sticky", "below"), 0o700)); err != nil {
		t.Error(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "mine"), link); err != nil {
		t.Fatal(err)
	}
	refused(t, Folder(link), "not a folder")
	if err := Place(link); err != nil {
		t.Error(err)
	}
	through := filepath.Join(dir, "all", "link")
	if err := os.Symlink(filepath.Join(dir, "mine"), through); err != nil {
		t.Fatal(err)
	}
	refused(t, Place(through), "others may write")
}

func TestAFolderOfAnotherUserIsRefused(t *testing.T) {
	asRoot(t)
	dir := made(t, filepath.Join(folder(t), "theirs"), 0o755)
	below := made(t, filepath.Join(dir, "ours"), 0o700)
	if err := os.Chown(dir, other, other); err != nil {
		t.Fatal(err)
	}
	refused(t, Folder(dir), "belongs to another user (54321)")
	refused(t, Folder(below), "belongs to another user (54321)")
	refused(t, Place(filepath.Join(dir, "not", "there")), "belongs to another user (54321)")
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Symlink(below, link), os.Lchown(link, other, other)); err != nil {
		t.Fatal(err)
	}
	refused(t, Place(link), "belongs to another user (54321)")
}

func TestAFileOfThisUserIsTrusted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o600, 0o644, 0o666} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unshared(file, info); (err == nil) != (mode != 0o666) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}
