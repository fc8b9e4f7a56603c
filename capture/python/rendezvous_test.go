//go:build unix

package python

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/require"
)

// runtimeFolder is a new $XDG_RUNTIME_DIR, with a path short enough for sockets in it.
func runtimeFolder(t *testing.T) string {
	t.Helper()
	folder := require.ShortFolder(t)
	t.Setenv("XDG_RUNTIME_DIR", folder)
	return folder
}

func TestADebuggerWaitsOnlyWhereOthersCannotPutAnything(t *testing.T) {
	give := func(path string) error { return os.Chown(path, 54321, 54321) }
	for name, c := range map[string]struct {
		root  bool // only root can do it
		spoil func(runtime, folder string) error
	}{
		"all may write to it":            {false, func(_, folder string) error { return os.Chmod(folder, 0o777) }},
		"all may write to the one above": {false, func(runtime, _ string) error { return os.Chmod(runtime, 0o777) }},
		"it is a link": {false, func(_, folder string) error {
			return errors.Join(os.Rename(folder, folder+"-away"), os.Symlink(folder+"-away", folder))
		}},
		"it is another user's":            {true, func(_, folder string) error { return give(folder) }},
		"the one above is another user's": {true, func(runtime, _ string) error { return give(runtime) }},
	} {
		t.Run(name, func(t *testing.T) {
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			runtime := runtimeFolder(t)
			r, err := Rendezvous()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			if err := c.spoil(runtime, filepath.Join(runtime, "gradtui")); err != nil {
				t.Fatal(err)
			}
			if r, err = Rendezvous(); err == nil {
				r.Close()
				t.Error("it waits there")
			} else if !strings.Contains(err.Error(), "set XDG_RUNTIME_DIR") {
				t.Error(err)
			}
		})
	}
}

func TestWhatAKilledDebuggerLeftIsRemovedAndALivingOneStays(t *testing.T) {
	runtime := runtimeFolder(t)
	folder := filepath.Join(runtime, "gradtui")
	dead := filepath.Join(folder, waiting+"dead")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := Rendezvous()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
	}
	if n := len(strings.Fields(children(t, folder))); n != 2 || isFile(filepath.Join(dead, "socket")) {
		t.Errorf("%s is left", children(t, folder))
	}
}

// TestAnAttachFolderThatIsTooDeepIsSaidInASentence: programs look in one place only.
func TestAnAttachFolderThatIsTooDeepIsSaidInASentence(t *testing.T) {
	deep := filepath.Join(runtimeFolder(t), strings.Repeat("d", 120))
	t.Setenv("XDG_RUNTIME_DIR", deep)
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Rendezvous()
	if err == nil || !strings.Contains(err.Error(), "the path of a socket may have") || !strings.Contains(err.Error(), "set XDG_RUNTIME_DIR") {
		t.Error(err)
	}
	if left := children(t, filepath.Join(deep, "gradtui")); left != "" {
		t.Errorf("%s is left", left)
	}
}
