// Package require decides what a test does on a machine that lacks something: it is
// skipped, unless the environment variable GRADTUI_REQUIRE lists what is missing, as CI
// does so that no comparison is left out there.
//
//	GRADTUI_REQUIRE=torch,torch-2.6,dot,python go test ./...
package require

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// variable is where what must not be missing is listed, separated by commas.
const variable = "GRADTUI_REQUIRE"

// Missing ends a test that cannot run for want of something, and says why.
func Missing(t testing.TB, what, why string) {
	t.Helper()
	if what != "" && slices.Contains(strings.Split(os.Getenv(variable), ","), what) {
		t.Fatalf("%s; %s asks for %s", why, variable, what)
	}
	t.Skip(why)
}

// Command returns the path of a command. Without it the test ends as [Missing] says.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name, err.Error())
	}
	return path
}
