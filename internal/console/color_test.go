package console

import (
	"strings"
	"testing"
)

func TestTheEnvironmentSaysWhetherThereAreColours(t *testing.T) {
	for _, tc := range []struct {
		env            string
		terminal, file bool
	}{
		{"", true, false},
		{"NO_COLOR=", true, false},
		{"NO_COLOR=1", false, false},
		{"NO_COLOR=1 CLICOLOR_FORCE=1 FORCE_COLOR=3", false, false},
		{"CLICOLOR_FORCE=1", true, true},
		{"CLICOLOR_FORCE=0", true, false},
		{"FORCE_COLOR=1", true, true},
		{"FORCE_COLOR=0", false, false},
		{"CLICOLOR=0", false, false},
		{"CLICOLOR=1", true, false},
		{"CLICOLOR=0 CLICOLOR_FORCE=1", true, true},
		{"TERM=dumb", false, false},
		{"TERM=dumb FORCE_COLOR=1", true, true},
	} {
		env := map[string]string{}
		for _, set := range strings.Fields(tc.env) {
			name, value, _ := strings.Cut(set, "=")
			env[name] = value
		}
		getenv := func(name string) string { return env[name] }
		if terminal, file := Colored(getenv, true), Colored(getenv, false); terminal != tc.terminal || file != tc.file {
			t.Errorf("%s: %v on a terminal, %v in a file", tc.env, terminal, file)
		}
	}
}
