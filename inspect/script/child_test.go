package script_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/race"
)

func runApart(t *testing.T, source string, o script.Options) (out string, r script.Result) {
	t.Helper()
	var b bytes.Buffer
	o.Print = &b
	r = script.RunApart(context.Background(), "check.star", []byte(source), recorded(t), o)
	return b.String(), r
}

func TestAScriptApartDoesWhatItDoesHere(t *testing.T) {
	const source = `
print(tensor("p"), pos())
rewind()
run_to(op="mul")
export("a.dot", root="w")
expect_finding("second-backward")
assert.eq(1, 2, "no")
`
	type exported struct {
		at   graph.Pos
		path string
		how  script.Picture
	}
	do := func(run func(*testing.T, string, script.Options) (string, script.Result)) (string, script.Result, exported) {
		var e exported
		out, r := run(t, source, script.Options{Export: func(g *graph.Graph, path string, how script.Picture) error {
			e = exported{g.Pos(), path, how}
			return nil
		}})
		return out, r, e
	}
	here, h, x := do(run)
	apart, a, y := do(runApart)
	if here != apart || h.Err == nil || a.Err == nil || h.Err.Error() != a.Err.Error() || h.Err.Failed != a.Err.Failed || len(a.Expected) != len(h.Expected) || x != y {
		t.Errorf("here %q %v %v %v\napart %q %v %v %v", here, h.Err, h.Expected, x, apart, a.Err, a.Expected, y)
	}
}

func TestAScriptApartEndsAtItsLimits(t *testing.T) {
	for source, want := range map[string]string{
		"while True: pass":               "check.star:1:1: it did not finish within 500ms",
		"x = 1\ny = max(range(1 << 45))": "check.star:2:8: it did not finish within 500ms",
		"def f(n):\n    return set(range(n))\nassert.fails(lambda: max(range(1 << 45)))": "check.star:3:25: it did not finish within 500ms",
	} {
		_, r := runApart(t, source, script.Options{Timeout: 500 * time.Millisecond})
		if r.Err == nil || !strings.HasPrefix(r.Err.Error(), want) {
			t.Errorf("%s\n%v, not %s", source, r.Err, want)
		}
	}
}

func TestAScriptApartEndsAtItsLimitOnMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector has memory of its own, and its own words when it gets none")
	}
	const want = "check.star: it exceeded the memory limit of 64 MiB on top of the tape"
	for _, source := range []string{"x = list(range(1 << 40))", "x = 'a' * (1 << 28)", "x = set(range(1 << 34))"} {
		_, r := runApart(t, source, script.Options{Timeout: time.Minute, Memory: 64 << 20})
		if r.Err == nil || !strings.HasPrefix(r.Err.Error(), want) {
			t.Errorf("%s\n%v, not %s", source, r.Err, want)
		}
	}
}

func TestAScriptApartEndsWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	printed := writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
	r := script.RunApart(ctx, "check.star", []byte("print(1)\nmax(range(1 << 45))"), recorded(t), script.Options{Print: printed})
	if r.Err == nil || r.Err.Error() != "check.star: interrupted" {
		t.Error(r.Err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
