//go:build unix

package graphviz

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradtui/gradtui/internal/worker"
)

// homeless returns the environment of a user whose home, cache and temporary
// directories are below dir.
func homeless(dir string) []string {
	return []string{
		"HOME=" + filepath.Join(dir, "home"),
		"XDG_CACHE_HOME=" + filepath.Join(dir, "cache"),
		"TMPDIR=" + filepath.Join(dir, "tmp"),
	}
}

// files lists the regular files below dir.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// openDir makes a directory that other users can enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "graphviz-startup-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// stranger makes cmd run as a user who cannot read what this one makes private.
// It runs a copy of the test program in dir, where that user can reach it.
func stranger(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return // modes that shut out the owner do the same for anyone but root
	}
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	program, err := os.ReadFile(cmd.Path)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path = filepath.Join(dir, "program")
	cmd.Dir = dir
	if err := os.WriteFile(cmd.Path, program, 0o755); err != nil {
		t.Fatal(err)
	}
}

// go-graphviz panics before main when another user has made
// $TMPDIR/go-graphviz. The test lays such a directory out, with the
// subdirectory in which go-graphviz would read and write.
func TestForeignCacheDoesNotStopTheProgram(t *testing.T) {
	dir := openDir(t)
	tmp := filepath.Join(dir, "tmp")
	for _, d := range []string{tmp, filepath.Join(dir, "cache"), filepath.Join(dir, "home")} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(d, 0o777|os.ModeSticky); err != nil {
			t.Fatal(err)
		}
	}
	foreign := filepath.Join(tmp, "go-graphviz", cacheVersion(t))
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(foreign, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(foreign, 0o700) })

	cmd := again(t, "draw", homeless(dir)...)
	stranger(t, cmd, dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The program sees the temporary directory that its user has set.
	if got, want := strings.TrimSpace(string(out)), fmt.Sprint(true, " ", tmp); got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	private := filepath.Join(dir, "cache", "gradtui", "graphviz")
	if st, err := os.Stat(private); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("cache directory: %v, %v, want mode 0700", st, err)
	}
}

// cacheVersion returns the name of the directory in which wazero keeps machine
// code below go-graphviz's.
func cacheVersion(t *testing.T) string {
	t.Helper()
	mustRender(t, "digraph {}", SVG) // fills this user's cache
	base, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no cache directory to look into:", err)
	}
	found, err := filepath.Glob(filepath.Join(base, "gradtui", "graphviz", "go-graphviz", "wazero-*"))
	if err != nil || len(found) == 0 {
		t.Skip("no cache of wazero in", base)
	}
	return filepath.Base(found[0])
}

// Without any directory to keep machine code in, everything still works, and
// nothing is left behind.
func TestUnusableCacheDirectories(t *testing.T) {
	skipCompiling(t)
	for _, tc := range []struct {
		name  string
		setUp func(t *testing.T, dir string)
	}{
		{"no home", func(t *testing.T, dir string) {}},
		{"a file in its place", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "cache"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"a link to elsewhere", func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "cache", "gradtui"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(t.TempDir(), filepath.Join(dir, "cache", "gradtui", "graphviz")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			tc.setUp(t, dir)
			env := homeless(dir)
			if tc.name == "no home" {
				env = append(env, "HOME=", "XDG_CACHE_HOME=")
			}
			if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
				t.Fatal(err)
			}
			if out, err := again(t, "draw", env...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if left := files(t, filepath.Join(dir, "tmp")); len(left) > 0 {
				t.Errorf("left in the temporary directory: %q", left)
			}
		})
	}
}

// A cache with a damaged file makes go-graphviz panic before main.
func TestDamagedCacheIsReplaced(t *testing.T) {
	skipCompiling(t)
	dir := t.TempDir()
	for _, v := range homeless(dir)[:2] {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	mustRender(t, "digraph { a }", SVG)
	cached := files(t, dir)
	if len(cached) != 1 {
		t.Fatalf("files in the cache: %q, want one", cached)
	}
	if err := os.Truncate(cached[0], 1000); err != nil {
		t.Fatal(err)
	}
	mustRender(t, "digraph { b }", SVG)
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("the damaged file is still there: %q", left)
	}
}

// A child that does not get the processor takes no processor time: however long the
// layout takes then, it is done.
func TestTimeInWhichAChildIsStoppedDoesNotCount(t *testing.T) {
	const limit = 500 * time.Millisecond
	onJob = func(c *child) {
		if err := c.Cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		before := worker.ProcessorTime()
		for worker.ProcessorTime()-before < limit*3/2 {
		}
		if err := c.Cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { onJob = func(*child) {} })
	if _, err := Render(t.Context(), []byte("digraph { a -> b }"), SVG, Options{MaxProcessorTime: limit}); err != nil {
		t.Error(err)
	}
}

// The next try would otherwise begin from nothing again, and on a busy machine none
// would ever come to the layout.
func TestACancelledStartFillsTheCache(t *testing.T) {
	skipCompiling(t)
	dir := t.TempDir()
	for _, v := range homeless(dir) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan *child, 1)
	onChild, onLeft = func(*child) { cancel() }, func(c *child) { left <- c }
	t.Cleanup(func() { onChild, onLeft = func(*child) {}, func(*child) {} })
	if _, err := Render(ctx, []byte("digraph { a -> b }"), SVG, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	<-left
	if cached := files(t, dir); len(cached) != 1 {
		t.Errorf("files in the cache: %q, want one", cached)
	}
}
