package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/settings"
)

// configured reads a configuration that is given as text.
func configured(t *testing.T, text string) (Settings, []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, wrong := settings.Read(path)
	s, more := NewSettings(f)
	var said []string
	for _, err := range append(wrong, more...) {
		said = append(said, strings.TrimPrefix(err.Error(), path+":"))
	}
	return s, said
}

func TestKeysAreGivenToActions(t *testing.T) {
	s, wrong := configured(t, "[keys]\nnext-operation = [\"J\", \"f8\"]\nnext-node = \"s\"\nquit = []\n")
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	o := optionsFor(recorded(t, "lesson"))
	o.Settings = s
	d := openWith(t, o, 80, 24)
	d.Press("<", "J")
	at := d.at()
	d.Press("<", "s") // now the next node
	if !strings.Contains(d.Pane(inspectorPane), "about to run") || at == d.at() {
		t.Errorf("J goes to %d, s to %d\n%s", at, d.at(), d.Screen())
	}
	if d.Press("n"); !strings.Contains(d.notice.text, "n is not a key") {
		t.Error(d.notice.text)
	}
	if d.Press("q"); !strings.Contains(d.notice.text, "q is not a key") {
		t.Error(d.notice.text)
	}
	d.Press("?")
	if !strings.Contains(d.Screen(), "J f8          next operation") {
		t.Error(d.Screen())
	}
}

func TestWhatIsWrongInAConfigurationIsSaidWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"theme = \"drak\"\n":                       `1: theme: unknown theme "drak"`,
		"\nthemes = 1\n":                           "2: themes: unknown key",
		"mouse = 1\n":                              "1: mouse: ",
		"[colours]\nleaf = \"blueish\"\n":          `2: colours.leaf: "blueish" is not a colour`,
		"[colours]\nfoo = \"#fff\"\n":              `2: colours.foo: unknown style "foo"`,
		"[colours]\nleaf = 3\n":                    "2: colours.leaf: a colour is a text",
		"[keys]\n\nnext-nod = \"x\"\n":             `3: keys.next-nod: unknown action "next-nod"`,
		"[keys]\nnext-node = \"S\"\n":              "2: keys.next-node: the key S is taken by previous-operation",
		"[keys]\nnext-node = \"1\"\n":              "2: keys.next-node: the key 1 cannot be given",
		"[keys]\nnext-node = 7\n":                  "2: keys.next-node: keys are a text or a list",
		"[keys]\nstart = \"J\"\nend = \"J\"\n":     "the key J is taken by",
		"[keys\n":                                  "2: expected",
		"[keys]\nunfold-everything = \"_\"\nx=1\n": "3: keys.x",
	} {
		s, wrong := configured(t, text)
		if len(wrong) == 0 || !strings.Contains(wrong[0], want) {
			t.Errorf("%q: %q, want %q", text, wrong, want)
		}
		all := bindings()
		for i := range all {
			if all[i].keys[0] == "n" && !slices.Equal(s.keysOf(&all[i]), []string{"n"}) {
				t.Errorf("%q: n is %q", text, s.keysOf(&all[i]))
			}
		}
	}
}

func TestAThemeChangesColours(t *testing.T) {
	s, wrong := configured(t, "theme = \"light\"\n[colours]\nleaf = \"#123456\"\n")
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if p := s.palette(false); !strings.Contains(p[leaf], "18;52;86") || p[saved] != palette(false)[saved] {
		t.Errorf("%q %q", p[leaf], p[saved])
	}
	o := optionsFor(recorded(t, "lesson"))
	o.Settings = s
	if d := openWith(t, o, 80, 24); d.palette[saved] != palette(false)[saved] {
		t.Error("the theme does not say light")
	}
	mono, _ := configured(t, "theme = \"mono\"\nmouse = false\n")
	if p := mono.palette(true); strings.Contains(p[leaf], "38;") || !strings.Contains(p[strong], "1") {
		t.Errorf("%q %q", p[leaf], p[strong])
	}
	o.Settings = mono
	if d := openWith(t, o, 80, 24); d.View().MouseMode != 0 {
		t.Error("the mouse is on")
	}
}

// The name of an action belongs to one binding.
func TestEachActionHasItsName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range actionNames() {
		if seen[name] || name == "" {
			t.Errorf("two actions are called %q", name)
		}
		seen[name] = true
	}
	if len(seen) < 50 || !seen["next-node"] || !seen["compare-the-ranks"] {
		t.Error(len(seen), seen)
	}
}
