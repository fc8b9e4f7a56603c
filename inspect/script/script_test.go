package script_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/script"
	"github.com/gradtui/gradtui/internal/testing/docparts"
)

var update = flag.Bool("update", false, "write docs/use/check-scripts.md")

// recorded is a run of p = 1, w = 10p, l = w², l.backward(), w.backward(), which
// fails.
func recorded(t *testing.T) *inspect.Result {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	p := autograd.Ones([]int{1}, autograd.RequiresGrad).SetName("p")
	w := p.Mul(10).SetName("w")
	l := w.Pow(2).SetName("l")
	if err := l.Backward(); err != nil {
		t.Fatal(err)
	}
	if w.Backward() == nil {
		t.Fatal("the second pass does not fail")
	}
	return inspect.Check(tape, rules.All(), inspect.Options{})
}

func run(t *testing.T, source string, o script.Options) (out string, r script.Result) {
	t.Helper()
	var b bytes.Buffer
	o.Print = &b
	r = script.Run(context.Background(), "check.star", []byte(source), recorded(t), o)
	return b.String(), r
}

func TestScripts(t *testing.T) {
	for _, source := range []string{
		// What is a leaf, what it is worth.
		"p = tensor('p')\nassert.true(p.leaf and p.requires_grad)\nassert.eq(p.shape, (1,))\nassert.eq(p.grad_fn, None)\nassert.close(p.grad.value.first, [200])",
		"assert.eq(tensor('w').grad_fn.name, 'MulBackward0')\nassert.false(tensor('w').leaf)",
		"assert.eq(tensor('l').grad_fn.next_functions, [tensor('w').grad_fn])",
		"assert.eq(tensor('t1'), tensor('p'))\nassert.ne(tensor('p'), tensor('w'))",
		"assert.eq([t.name for t in tensors(leaf=True, requires_grad=True)], ['p'])",
		// Passes: what they ran and freed.
		"b = backward(1)\nassert.eq([n.name for n in b.executed], ['PowBackward0', 'MulBackward0', 'AccumulateGrad'])\nassert.eq([n.name for n in b.freed], ['PowBackward0', 'MulBackward0'])\nassert.eq(b.grads[0].tensor.name, 'p')\nassert.close(b.grads[0].added.first, [200])",
		"assert.true(backward(-1).failed)\nassert.contains(backward(2).error, 'second time')\nassert.eq(len(backwards()), 2)",
		"s = node('PowBackward0').saved[0]\nassert.true(s.freed)\nassert.eq((s.name, s.version, s.modified), ('self', 0, False))",
		// Moving in time.
		"rewind()\nassert.eq(pos(), 0)\nassert.true(run_to(op='mul'))\nassert.true(step('event'))\nassert.true(back())\nassert.eq(tensor('w').version, 0)\nassert.fails(lambda: tensor('l'), 'no tensor is called')",
		"rewind()\nrun_to(op='pow')\nassert.eq(len(nodes('PowBackward0')), 1)\nassert.true(back('op'))\nassert.eq(nodes('PowBackward0'), [])",
		"rewind()\nrun_to(backward=1)\nassert.eq(tensor('p').grad, None)\nstep('node', 3)\nfinish()\nassert.ne(tensor('p').grad, None)",
		"assert.eq(len(hits('op == \"pow\"')), 1)\nrewind()\nassert.true(run_to(query='op == \"pow\"'))\nassert.eq(pos(), hits('op pow')[0])\nassert.fails(lambda: hits('max('), 'ends too early')\nassert.fails(lambda: run_to(query='op pow'), 'a hit of op pow does not come')",
		"rewind()\nassert.false(run_to(backward=9, optional=True))\nassert.eq(pos(), 0)",
		"rewind()\nwhile step('node'):\n    pass\nassert.eq(len([n for n in nodes() if n.runs]), 3)",
	} {
		if _, r := run(t, source, script.Options{}); r.Err != nil {
			t.Errorf("%s\n%v", source, r.Err)
		}
	}
}

func TestPrint(t *testing.T) {
	out, r := run(t, "print(tensor('p'), node('MulBackward0'), backward(1))", script.Options{})
	if want := "tensor(p, t1) node(MulBackward0, n2) backward(1)\n"; out != want || r.Err != nil {
		t.Errorf("printed %q, %v", out, r.Err)
	}
}

func TestAScriptThatFailsSaysWhere(t *testing.T) {
	for _, c := range []struct {
		source string
		failed bool
		want   string
	}{
		{"assert.eq(1, 2)", true, "check.star:1:10: 1 is not equal to 2"},
		{"assert.eq(1, 2, 'counting')", true, "check.star:1:10: counting: 1 is not equal to 2"},
		{"x = 1\nassert.true(tensor('w').leaf, 'w')", true, "check.star:2:12: w: False is not true"},
		{"assert.close([1, 2], [1, 2.1])", true, "check.star:1:13: [1, 2] is not close to [1, 2.1]"},
		{"assert.lt('a', 1)", false, "check.star:1:10: string < int not implemented"},
		{"expect_finding('leaf-inplace')", true, "check.star:1:15: no finding leaf-inplace; there are: "},
		{"def f():\n    assert.true(0)\nf()", true, "check.star:2:16: 0 is not true"},
		{"assert.fails(lambda: 1)", true, "check.star:1:13: lambda does not fail"},
		{"x = (", false, "check.star:1:6: got end of file, want primary expression"},
		{"tensr('p')", false, "check.star:1:1: undefined: tensr (did you mean \"tensor\"?)"},
		{"tensor('q')", false, "check.star:1:7: no tensor is called \"q\" at event "},
		{"tensor(1)", false, "check.star:1:7: tensor: for parameter name: got int, want string"},
		{"tensor('p').shap", false, "check.star:1:12: a tensor has no attribute shap (did you mean \"shape\"?)"},
		{"tensor('p') < tensor('w')", false, "check.star:1:13: a tensor is neither less nor greater than another"},
		{"step('day')", false, "check.star:1:5: step: the unit must be \"event\", \"op\" or \"node\""},
		{"run_to(line=1)", false, "check.star:1:7: run_to: line 1 does not come after event "},
		{"run_to()", false, "check.star:1:7: run_to: missing a target"},
		{"backward(3)", false, "check.star:1:9: backward: the program ran 2 backward passes"},
		{"node()", false, "check.star:1:5: node: there are "},
		{"load('x.star', 'y')", false, "check.star:1:1: cannot load x.star: load: a check script is one file"},
		{"export('x.dot')", false, "check.star:1:7: export: not available here"},
		{"1 // 0", false, "check.star:1:3: floored division by zero"},
		{"def f(): f()\nf()", false, "check.star:1:10: function f called recursively"},
		{"fail('enough')", false, "check.star:1:5: fail: enough"},
	} {
		_, r := run(t, c.source, script.Options{})
		if r.Err == nil {
			t.Errorf("%s: no error", c.source)
			continue
		}
		if !strings.HasPrefix(r.Err.Error(), c.want) || r.Err.Failed != c.failed {
			t.Errorf("%s\ngot  %v (failed: %t)\nwant %s (failed: %t)", c.source, r.Err, r.Err.Failed, c.want, c.failed)
		}
	}
}

func TestScriptsAreBounded(t *testing.T) {
	for _, c := range []struct {
		source string
		o      script.Options
		want   string
	}{
		{"while True:\n    pass", script.Options{MaxSteps: 10_000}, "did not finish within 10000 steps"},
		{"x = [i for i in range(1000000000)]", script.Options{MaxSteps: 10_000}, "did not finish within 10000 steps"},
		{"while True:\n    pass", script.Options{Timeout: time.Millisecond}, "did not finish within 1ms"},
		{"x = 'x' * (1 << 40)", script.Options{}, "too large"},
		{"step('event', 1 << 70)", script.Options{}, "step: for parameter count"},
	} {
		_, r := run(t, c.source, c.o)
		if r.Err == nil || r.Err.Failed || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.source, r.Err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := script.Run(ctx, "check.star", []byte("while True:\n    pass"), recorded(t), script.Options{})
	if r.Err == nil || !strings.Contains(r.Err.Text, "interrupted") {
		t.Errorf("an interrupted script ended with %v", r.Err)
	}
}

// Whatever a builtin is given, it ends with a result or an error that has a place.
func TestBuiltinsTakeAnything(t *testing.T) {
	arguments := []string{
		"", "None", "1", "-1", "1 << 62", "1 << 80", "1.5", "float('nan')", "''", "'x'", "b'x'", "[]", "{}", "()", "set()", "print",
		"tensor", "tensor('p')", "backward(1)", "node('MulBackward0')", "1, 2", "'a', 'b'", "1, 2, 3, 4, 5, 6", "zzz=1", "None, None",
		"[1, [2]], [1]", "lambda: fail('x')", "*[1]", "**{'a': 1}", "optional=True", "line=-5", "event=-1", "event=1 << 40",
	}
	for _, name := range script.Names() {
		for _, a := range arguments {
			source := fmt.Sprintf("%s(%s)", name, a)
			_, r := run(t, source, script.Options{MaxSteps: 100_000})
			if r.Err != nil && (r.Err.Pos.Line != 1 || r.Err.Pos.Col == 0 || strings.Contains(r.Err.Text, "internal error")) {
				t.Errorf("%s: %v at %v", source, r.Err, r.Err.Pos)
			}
		}
	}
}

func TestExpectedFindingsAreTold(t *testing.T) {
	report := recorded(t)
	if len(report.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	code := report.Findings[0].Code
	r := script.Run(context.Background(), "check.star", []byte("expect_finding('"+code+"')"), report, script.Options{})
	if r.Err != nil || !r.Expected[0] {
		t.Errorf("%v, expected: %v", r.Err, r.Expected)
	}
	r = script.Run(context.Background(), "check.star", []byte("expect_no_finding()"), report, script.Options{})
	if r.Err == nil || !r.Err.Failed || !strings.Contains(r.Err.Text, code) {
		t.Errorf("got %v", r.Err)
	}
}

func TestExportGetsThePathAsItIs(t *testing.T) {
	var got []string
	o := script.Options{Export: func(g *graph.Graph, path string, how script.Picture) error {
		got = append(got, fmt.Sprintf("%s %v %t", path, how, g.Pos() == 0))
		if path == "no" {
			return errors.New("not there")
		}
		return nil
	}}
	_, r := run(t, "rewind()\nexport('a/b.dot', root='p', style='torchviz', saved=True)\nexport('no')", o)
	want := []string{"a/b.dot {p torchviz true false} true", "no { full false false} true"}
	if diff := cmp.Diff(want, got); diff != "" || r.Err == nil || !strings.Contains(r.Err.Text, "export: not there") {
		t.Errorf("%v %s", r.Err, diff)
	}
}

const doc = "../../docs/use/check-scripts.md"

func TestTheReferenceIsUpToDate(t *testing.T) {
	docparts.Check(t, doc, map[string]string{"reference": script.Reference()}, *update)
}
