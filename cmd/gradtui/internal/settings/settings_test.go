package settings

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTheConfigurationOfTheUserIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if f, wrong := Find(); f.Path != "" || len(wrong) > 0 {
		t.Error(f, wrong)
	}
	path := filepath.Join(dir, "gradtui", "config.toml")
	text := "theme = \"light\"\nmouse = false\nsession = false\nrerun = true\n[keys]\nnext-node = \"J\"\nstart = [\"a\", \"b\"]\n[colours]\nleaf = \"4\"\n"
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	f, wrong := Find()
	if len(wrong) > 0 || f.Path != path || f.Theme != "light" || !f.NoMouse || !f.NoSession || !f.Rerun || f.Keys["next-node"][0] != "J" || len(f.Keys["start"]) != 2 || f.Colours["leaf"] != "4" {
		t.Errorf("%+v, %v", f, wrong)
	}
	if runtime.GOOS == "windows" {
		return // files have no mode there
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if f, wrong := Find(); f.Path != "" || f.NoMouse || len(wrong) != 1 || !strings.Contains(wrong[0].Error(), "the configuration is not read: ") {
		t.Errorf("what everybody can write is read: %+v, %v", f, wrong)
	}
}

func TestWhatIsRightIsReadBesideWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("mouse = false\n[keys]\nend = 3\nstart = \"a\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, wrong := Read(path)
	if !f.NoMouse || f.Keys["start"] == nil || f.Keys["end"] != nil || len(wrong) != 1 || !strings.HasPrefix(wrong[0].Error(), path+":3: keys.end: ") {
		t.Errorf("%+v, %v", f, wrong)
	}
	if _, wrong := Read(filepath.Join(t.TempDir(), "none.toml")); len(wrong) != 1 {
		t.Error(wrong)
	}
}
