package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/require"
	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

// found is how many programs of the half aside are right at least.
const found = 15

// The lies that were found once stay found, and their counterparts exact; missed.txt has the others of
// the half for work.
func TestAuditFindsLies(t *testing.T) {
	if testing.Short() {
		t.Skip("runs ninety programs")
	}
	c := command{engine: "builtin", python: require.Command(t, "python3"), jobs: 2}
	var err error
	if c.path, err = thiscommand.Build(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	list, err := programs("programs", c.engine)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("missed.txt")
	if err != nil {
		t.Fatal(err)
	}
	missed := strings.Fields(string(text))
	aside := 0
	for i, a := range c.askAll(list, t.TempDir()) {
		switch p := list[i]; {
		case p.aside():
			count(&aside, a.right())
		case a.right() && slices.Contains(missed, p.name):
			t.Errorf("%s is found now: take it out of missed.txt", p.name)
		case !a.right() && !slices.Contains(missed, p.name):
			t.Errorf("%s: want %s at %v, got %s; counterpart: %s", p.name, p.want, p.lines, a.said, a.good)
		}
	}
	if aside < found {
		t.Errorf("%d programs of the half aside are right; there were %d", aside, found)
	}
}
