package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/race"
	"github.com/gradtui/gradtui/internal/testing/require"
	"github.com/gradtui/gradtui/internal/testing/schemadoc"
)

func TestMain(m *testing.M) {
	graphviz.ChildMain()
	script.ChildMain()
	os.Setenv(python.EngineVariable, string(python.Builtin)) // whatever Python there is
	if os.Getenv("GRADTUI_TEST_COMMAND") != "" {
		main()
	}
	testscript.Main(suite{m}, commands)
}

// commands are what tests can start. Those with broken debuggers are where there are
// terminals.
var commands = map[string]func(){"gradtui": main}

// suite are the tests of this package, with a cache of their own: what Python programs need
// is made once for all of them. PyTorch 2.6 stays where it is. Go programs are built with the
// cache that there is, and linked without what only debuggers read.
type suite struct{ *testing.M }

func (s suite) Run() int {
	require.Signals()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		panic(err)
	}
	os.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w"))
	if out, err := exec.Command("../../tools/pytorch/python-torch-2.6", "--root").Output(); err == nil {
		os.Setenv("GRADTUI_TORCH_2_6", strings.TrimSpace(string(out)))
	}
	cache, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	os.Setenv("XDG_CACHE_HOME", cache)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(cache, "config"))
	os.Setenv("XDG_STATE_HOME", filepath.Join(cache, "state")) // never the user's
	return s.M.Run()
}

// TestScripts runs the stories in testdata/script with the real command.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPO", repository)
			env.Setenv(python.EngineVariable, string(python.Builtin))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("CACHE", os.Getenv("XDG_CACHE_HOME"))
			env.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_CACHE_HOME"))
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
				out, err := exec.Command("go", "env", name).Output()
				if err != nil {
					return err
				}
				env.Setenv(name, string(out[:len(out)-1]))
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "race" {
				return race.Enabled, nil
			}
			return false, fmt.Errorf("there is no condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":    code,
			"follows": follows,
			"starts":  starts,
			"source":  source,
		},
	})
}

// code runs a command that must end with an exit code: code 2 gradtui …
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// follows checks a document of a command with its schema: follows COMMAND FILE.
func follows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: follows command file")
	}
	schema := filepath.Join(ts.Getenv("REPO"), "docs", "use", args[0]+".schema.json")
	ts.Check(schemadoc.Validate(schema, ts.ReadFile(args[1])))
}

// source makes a file the text of prog.py on a tape in text form: source TAPE FILE.
func source(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: source tape file")
	}
	var kept strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if !strings.Contains(line, " source-read ") {
			kept.WriteString(line)
		}
	}
	fmt.Fprintf(&kept, "+0s source-read file=\"prog.py\" text=%q\n", ts.ReadFile(args[1]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(kept.String()), 0o600))
}

// starts checks how a file begins: starts FILE TEXT, TEXT with Go's escapes.
func starts(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: starts file text")
	}
	want, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if has := len(data) >= len(want) && string(data[:len(want)]) == want; has == neg {
		ts.Fatalf("%s begins with %q", args[0], data[:min(len(data), len(want))])
	}
}
