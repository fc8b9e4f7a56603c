package ui

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/settings"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/suggest"
)

// Settings are what the user has configured: colours, keys, the mouse, runs. The zero Settings are the defaults.
type Settings struct {
	theme   string // "", "auto": as the background of the terminal
	colours map[cells.Style]string
	keys    map[string][]string // by the names of actions
	noMouse bool
	rerun   bool // the program is run again when a file was saved
}

// The themes.
var themes = []string{"auto", "dark", "light", "mono"}

// styleNames are the styles that have colours, by their names in the configuration.
var styleNames = map[string]cells.Style{
	"muted": muted, "rule": rule, "title": headline, "focus": headFocus, "key": keycap, "leaf": leaf, "output": output, "saved": saved,
	"gradient": gradient, "running": running, "done": done, "failed": failed, "warning": warned, "hint": hinted, "freed": freed,
	"line-number": lineNumber, "keyword": keyword, "literal": literal, "comment": comment, "function": function, "match": matched, "lanes": lanes,
}

// aColour matches colours: "#7cc4ff", or the number of one of the terminal's.
var aColour = regexp.MustCompile(`^(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}|[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$`)

// NewSettings reads what a configuration names. What is wrong keeps its default, and is in the errors.
func NewSettings(f *settings.File) (s Settings, wrong []error) {
	s = Settings{theme: f.Theme, noMouse: f.NoMouse, rerun: f.Rerun, colours: map[cells.Style]string{}, keys: map[string][]string{}}
	if f.Theme != "" && !slices.Contains(themes, f.Theme) {
		s.theme = ""
		wrong = append(wrong, f.Wrong(suggest.Unknown("theme", f.Theme, themes), "theme"))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Colours)) {
		style, ok := styleNames[name]
		switch {
		case !ok:
			wrong = append(wrong, f.Wrong(suggest.Unknown("style", name, slices.Sorted(maps.Keys(styleNames))), "colours", name))
		case !aColour.MatchString(f.Colours[name]):
			wrong = append(wrong, f.Wrong(fmt.Errorf("%q is not a colour; use \"#rrggbb\", or a number from 0 to 255", f.Colours[name]), "colours", name))
		default:
			s.colours[style] = f.Colours[name]
		}
	}
	all := bindings()
	var names []string
	for i := range all {
		names = append(names, all[i].action())
	}
	for _, name := range slices.Sorted(maps.Keys(f.Keys)) {
		switch i := slices.Index(names, name); {
		case i < 0 || name == "":
			wrong = append(wrong, f.Wrong(suggest.Unknown("action", name, actionNames()), "keys", name))
		case all[i].do == nil:
			wrong = append(wrong, f.Wrong(errors.New("these keys cannot be changed"), "keys", name))
		default:
			if why := wrongKey(f.Keys[name]); why != nil {
				wrong = append(wrong, f.Wrong(why, "keys", name))
				continue
			}
			s.keys[name] = f.Keys[name]
		}
	}
	return s, append(wrong, s.dropConflicts(f, all)...)
}

// wrongKey says what is wrong with the keys of an action.
func wrongKey(keys []string) error {
	for _, k := range keys {
		switch {
		case k == "" || strings.TrimSpace(k) != k || len(k) > 30:
			return fmt.Errorf("%q is not the name of a key; examples are n, N, ctrl+n, alt+n, f5, space, pgdown", k)
		case slices.Contains(paneKeys(), k) || k == "esc":
			return fmt.Errorf("the key %s cannot be given to something else", k)
		}
	}
	return nil
}

// dropConflicts takes keys back that another action has as well, unless both have a key in common from the
// start: those act at different times.
func (s *Settings) dropConflicts(f *settings.File, all keymap) (wrong []error) {
	for again := true; again; {
		again = false
		for _, name := range slices.Sorted(maps.Keys(s.keys)) {
			i := slices.IndexFunc(all, func(b binding) bool { return b.action() == name })
			for j := range all {
				other := &all[j]
				if other.action() == name || other.do == nil || shareKey(all[i].keys, other.keys) {
					continue
				}
				if k := sharedKey(s.keys[name], s.keysOf(other)); k != "" {
					wrong = append(wrong, f.Wrong(fmt.Errorf("the key %s is taken by %s", k, cmp.Or(other.action(), "another action")), "keys", name))
					delete(s.keys, name)
					again = true
					break
				}
			}
		}
	}
	return wrong
}

func shareKey(a, b []string) bool { return sharedKey(a, b) != "" }

func sharedKey(a, b []string) string {
	for _, k := range a {
		if slices.Contains(b, k) {
			return k
		}
	}
	return ""
}

// keysOf returns the keys of a binding.
func (s *Settings) keysOf(b *binding) []string {
	if keys, ok := s.keys[b.action()]; ok && b.do != nil {
		return keys
	}
	return b.keys
}

// shortNames are names of actions that are not made from their help, by the keys that they have at first.
var shortNames = map[string]string{
	"n": "next-node", "N": "previous-node", "s": "next-operation", "S": "previous-operation", "u": "next-line", "U": "previous-line",
	"B": "next-backward", "o": "out-of-module", "O": "back-to-module", "c": "continue", "C": "previous-hit", "f": "next-finding",
	"i": "interrupt", "m": "next-place", "M": "previous-place", "<": "start", ">": "end", "ctrl+o": "jump-back", "ctrl+r": "jump-forward",
	"`": "bookmark", "'": "bookmarks", "b": "breakpoint", "down": "down", "up": "up", "pgdown": "page-down", "pgup": "page-up",
	"home": "first-row", "end": "last-row", "tab": "next-pane", "shift+tab": "previous-pane", "enter": "open", "w": "norms", "v": "next-view",
	"t": "tree", "r": "root", "left": "left", "right": "right", "z": "zoom", "]": "next-rank", "[": "previous-rank", "P": "pin-moment",
	"a": "swap-moment", "/": "search", ":": "command", "W": "watch", "V": "value", "x": "explain", "F": "fix", "e": "export", "E": "edit", "y": "copy",
	"?": "help", "ctrl+z": "suspend", "q": "quit", "Q": "quit-at-once",
}

var notInNames = regexp.MustCompile(`[^a-z]+`)

// action is the name of what a binding does, for the configuration; "" if it only explains why the key does
// nothing. A key that acts in several ways has a name for each, made from its help.
func (b *binding) action() string {
	if b.help == "" {
		return ""
	}
	if name := shortNames[b.keys[0]]; name != "" {
		return name
	}
	first, _, _ := strings.Cut(strings.NewReplacer(";", ",", ":", ",").Replace(strings.ToLower(b.help)), ",")
	return strings.Trim(notInNames.ReplaceAllString(first, "-"), "-")
}

// actionNames are the names of all actions whose keys can be changed.
func actionNames() (names []string) {
	all := bindings()
	for i := range all {
		if name := all[i].action(); name != "" && all[i].do != nil {
			names = append(names, name)
		}
	}
	return names
}
