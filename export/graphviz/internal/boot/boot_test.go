package boot

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// deps returns everything that a package imports, directly or not.
func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Skip("go list does not work here:", err)
	}
	return strings.Fields(string(out))
}

// The package comment says why this makes them run before go-graphviz.
func TestEarlyPackagesImportNothingThatWazeroDoesNot(t *testing.T) {
	const ours = "github.com/gradtui/gradtui/"
	wazero := deps(t, "github.com/tetratelabs/wazero")
	for _, early := range []string{"internal/boot", "internal/wasmtmp", "dormant"} {
		for _, d := range deps(t, ours+early) {
			if !strings.HasPrefix(d, ours) && !slices.Contains(wazero, d) {
				t.Errorf("%s imports %s", early, d)
			}
		}
	}
}

// useDirs makes all directories of the user lie below a new one.
func useDirs(t *testing.T) (cache, tmp string) {
	t.Helper()
	dir := t.TempDir()
	cache, tmp = filepath.Join(dir, "cache"), filepath.Join(dir, "tmp")
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("LocalAppData", cache)
	for _, name := range tempVars() {
		t.Setenv(name, tmp)
	}
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	base, err := os.UserCacheDir() // elsewhere below HOME on some systems
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "gradtui", "graphviz"), tmp
}

func TestEnterCacheAndLeaveCache(t *testing.T) {
	cache, tmp := useDirs(t)
	EnterCache()
	if got := os.TempDir(); got != cache {
		t.Errorf("temporary directory is %s, want %s", got, cache)
	}
	if st, err := os.Stat(cache); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o700 {
		t.Errorf("cache directory: %v, %v, want mode 0700", st, err)
	}
	LeaveCache()
	if got := os.TempDir(); got != tmp {
		t.Errorf("temporary directory is %s afterwards, want %s", got, tmp)
	}
	LeaveCache() // does no harm
}

func TestACacheThatOthersCanWriteToIsNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders have no mode there")
	}
	cache, _ := useDirs(t)
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	dir, temporary := cacheDir()
	if dir == cache || temporary == nil {
		t.Fatalf("cacheDir() = %s, %v, want a temporary directory", dir, temporary)
	}
	temporary.Remove()
}

func TestFreshCacheReplacesTheUsualOne(t *testing.T) {
	cache, tmp := useDirs(t)
	broken := filepath.Join(cache, "go-graphviz", "broken")
	if err := os.MkdirAll(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Role, ChildFresh)
	EnterCache()
	dir := os.TempDir()
	if filepath.Dir(dir) != tmp {
		t.Errorf("temporary directory is %s, want one in %s", dir, tmp)
	}
	LeaveCache()
	for _, gone := range []string{dir, broken} {
		if _, err := os.Stat(gone); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", gone, err)
		}
	}
}

func TestDormantProgramsHaveNoCache(t *testing.T) {
	cache, _ := useDirs(t)
	Sleep()
	defer func() { dormant = false }()
	dir, temporary := cacheDir()
	if err := os.MkdirAll(dir, 0o700); err == nil || temporary != nil {
		t.Errorf("cacheDir() = %s, %v, want a place where nothing can be made", dir, temporary)
	}
	if _, err := os.Stat(cache); !os.IsNotExist(err) {
		t.Errorf("%s was made", cache)
	}
}

func TestHollowRejectsWhatItDoesNotKnow(t *testing.T) {
	head := "\x00asm\x01\x00\x00\x00"
	for name, module := range map[string]string{
		"nothing":                  "",
		"no module":                "hello, world",
		"no sections":              head,
		"section cut off":          head + "\x01\x7f\x01",
		"imported memory":          head + "\x01\x01\x00" + "\x02\x08\x01\x01a\x01b\x02\x00\x00",
		"two results":              head + "\x01\x06\x01\x60\x00\x02\x7f\x7f",
		"export of no function":    head + "\x01\x04\x01\x60\x00\x00" + "\x02\x01\x00\x03\x01\x00\x07\x05\x01\x01f\x00\x05",
		"number without an end":    head + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"type that is no function": head + "\x01\x02\x01\x5f",
	} {
		if _, err := Hollow([]byte(module)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzHollow(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x02\x01\x00\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00"))
	f.Fuzz(func(t *testing.T, module []byte) {
		Hollow(module) // must not panic
	})
}
