package python

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// useCache makes a directory the user's cache directory.
func useCache(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir) // macOS
	t.Setenv("LocalAppData", dir)
}

// twoFiles is what the tests unpack; it counts how often.
func twoFiles(count *atomic.Int32) func(dir string) error {
	return func(dir string) error {
		count.Add(1)
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
			return err
		}
		return errors.Join(
			os.WriteFile(filepath.Join(dir, "a"), []byte("alpha"), 0o600),
			os.WriteFile(filepath.Join(dir, "sub", "b c"), []byte("beta"), 0o600))
	}
}

func checkUnpacked(t *testing.T, u *unpacked) {
	t.Helper()
	for name, want := range map[string]string{"a": "alpha", "sub/b c": "beta"} {
		if got, err := os.ReadFile(filepath.Join(u.dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, want %q (%v)", name, got, want, err)
		}
	}
}

func TestAFolderIsUnpackedOnce(t *testing.T) {
	useCache(t, t.TempDir())
	var count atomic.Int32
	for range 3 {
		u, err := unpack("x", twoFiles(&count))
		if err != nil {
			t.Fatal(err)
		}
		checkUnpacked(t, u)
		u.close()
	}
	if count.Load() != 1 {
		t.Errorf("it was made %d times", count.Load())
	}
}

func TestADamagedFolderIsReplaced(t *testing.T) {
	damage := map[string]func(dir string) error{
		"a file is missing":   func(dir string) error { return os.Remove(filepath.Join(dir, "sub", "b c")) },
		"a file is truncated": func(dir string) error { return os.Truncate(filepath.Join(dir, "a"), 2) },
		"a file is changed": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a"), []byte("ALPHA"), 0o600)
		},
		"a file cannot be read": func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0) },
		"a file is a link": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "a")), os.Symlink("sub/b c", filepath.Join(dir, "a")))
		},
		"the manifest is missing":   func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"the manifest is truncated": func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 80) },
		"the manifest is empty":     func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 0) },
		"the folder is a file": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600))
		},
		"the folder is empty": func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) },
	}
	for name, spoil := range damage {
		t.Run(name, func(t *testing.T) {
			useCache(t, t.TempDir())
			var count atomic.Int32
			u, err := unpack("x", twoFiles(&count))
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(u.dir); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if u, err = unpack("x", twoFiles(&count)); err != nil || u.temporary != nil {
					t.Fatal(u, err)
				}
				checkUnpacked(t, u)
			}
			if count.Load() != 2 {
				t.Errorf("it was made %d times, want 2", count.Load())
			}
			if left := children(t, filepath.Dir(u.dir)); left != "x x.lock" {
				t.Errorf("the cache holds %s", left)
			}
		})
	}
}

func children(t *testing.T, dir string) string {
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

func TestManyMayUnpackAtOnce(t *testing.T) {
	useCache(t, t.TempDir())
	var count atomic.Int32
	for round := range 20 {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				u, err := unpack("x", twoFiles(&count))
				if err != nil || u.temporary != nil {
					t.Error(u, err)
					return
				}
				checkUnpacked(t, u)
			})
		}
		wg.Wait()
		base, err := TrustedCache()
		if dir := filepath.Join(base, "x"); err != nil || !intact(dir) {
			t.Fatal("it is not there", err)
		} else if round%2 == 0 {
			if err := os.Truncate(filepath.Join(dir, "a"), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestWithoutACacheDirectoryATemporaryOneIsUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, cache := range map[string]string{"it cannot be written": file, "there is none": ""} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			useCache(t, cache)
			t.Setenv("TMPDIR", temp)
			var count atomic.Int32
			u, err := unpack("x", twoFiles(&count))
			if err != nil {
				t.Fatal(err)
			}
			if u.temporary == nil || u.why == nil {
				t.Errorf("%+v is not temporary or gives no reason", u)
			}
			checkUnpacked(t, u)
			u.close()
			if left := children(t, temp); left != "" {
				t.Errorf("%s is left", left)
			}
		})
	}
}

// TestACacheThatOthersCanChangeIsNotUsed changes what is in the cache as another user would,
// with a manifest that agrees.
func TestACacheThatOthersCanChangeIsNotUsed(t *testing.T) {
	const other = 54321
	give := func(path string) error { return os.Lchown(path, other, other) }
	for name, c := range map[string]struct {
		root  bool // only root can do it
		spoil func(cache, dir string) error
	}{
		"all may write to the cache":      {false, func(cache, _ string) error { return os.Chmod(cache, 0o777) }},
		"all may write to gradtui's":      {false, func(_, dir string) error { return os.Chmod(filepath.Dir(dir), 0o777) }},
		"all may write to a folder in it": {false, func(_, dir string) error { return os.Chmod(filepath.Join(dir, "sub"), 0o777) }},
		"gradtui's is a link": {false, func(cache, dir string) error {
			base := filepath.Dir(dir)
			return errors.Join(os.Rename(base, base+"-away"), os.Symlink(base+"-away", base))
		}},
		"the cache is another user's":      {true, func(cache, _ string) error { return give(cache) }},
		"gradtui's is another user's":      {true, func(_, dir string) error { return give(filepath.Dir(dir)) }},
		"a folder in it is another user's": {true, func(_, dir string) error { return give(dir) }},
		"a file in it is another user's":   {true, func(_, dir string) error { return give(filepath.Join(dir, "a")) }},
	} {
		t.Run(name, func(t *testing.T) {
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			cache := filepath.Join(t.TempDir(), "cache")
			useCache(t, cache)
			var count atomic.Int32
			u, err := unpack("x", twoFiles(&count))
			if err != nil || u.temporary != nil {
				t.Skip("the temporary folder itself cannot be trusted:", u, err)
			}
			file := filepath.Join(u.dir, "a")
			err = errors.Join(os.WriteFile(file, []byte("theirs"), 0o600), os.Remove(filepath.Join(u.dir, manifestName)), writeManifest(u.dir))
			if err = errors.Join(err, c.spoil(cache, u.dir)); err != nil {
				t.Fatal(err)
			}
			u, err = unpack("x", twoFiles(&count))
			if err != nil {
				t.Fatal(err)
			}
			checkUnpacked(t, u)
			u.close()
		})
	}
}

// TestNothingIsMadeInTheFoldersOfOthers is about root with the HOME of another user.
func TestNothingIsMadeInTheFoldersOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	home := t.TempDir()
	if err := os.Chown(home, 54321, 54321); err != nil {
		t.Fatal(err)
	}
	useCache(t, filepath.Join(home, ".cache"))
	var count atomic.Int32
	u, err := unpack("x", twoFiles(&count))
	if err != nil {
		t.Fatal(err)
	}
	defer u.close()
	if u.temporary == nil || !strings.Contains(u.why.Error(), "belongs to another user (54321)") {
		t.Errorf("%+v is not temporary or gives another reason", u)
	}
	if left := children(t, home); left != "" {
		t.Errorf("%s was made", left)
	}
}

func TestAFailureLeavesNothing(t *testing.T) {
	cache, temp := t.TempDir(), t.TempDir()
	useCache(t, cache)
	t.Setenv("TMPDIR", temp)
	full := errors.New("no space left on device")
	_, err := unpack("x", func(string) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	if left := children(t, filepath.Join(cache, "gradtui")) + children(t, temp); left != "" {
		t.Errorf("%s is left", left)
	}
}

func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	cache := t.TempDir()
	useCache(t, cache)
	base := filepath.Join(cache, "gradtui")
	for name, age := range map[string]time.Duration{"new-old": 48 * time.Hour, "new-young": time.Minute, "other": 48 * time.Hour} {
		dir := filepath.Join(base, name)
		when := time.Now().Add(-age)
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "sub"), 0o700), os.Chtimes(dir, when, when)); err != nil {
			t.Fatal(err)
		}
	}
	var count atomic.Int32
	if _, err := unpack("x", twoFiles(&count)); err != nil {
		t.Fatal(err)
	}
	if left := children(t, base); left != "new-young other x x.lock" {
		t.Errorf("the cache holds %s", left)
	}
}
