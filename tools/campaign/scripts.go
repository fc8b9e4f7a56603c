//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An escape is a check script that wants more than it may have.
type escape struct {
	name, text string
	fails      bool // it must end with exit code 2: what it asks for is not given
}

// mostScript is how many bytes a script may take beside the tape.
const mostScript = 600 << 20

var escapes = []escape{
	{"an endless loop", "while True:\n    pass\n", true},
	{"a long loop", "for i in range(1 << 60):\n    pass\n", true},
	{"a function that calls itself", "def f(n):\n    return f(n)\nf(1)\n", true},
	{"functions that call each other", "f = lambda g: g(g)\nf(f)\n", true},
	{"the maximum of a long range", "max(range(1 << 45))\n", true},
	{"the minimum of a long range", "min(range(1 << 45))\n", true},
	{"any of a long range", "any([0]) or any(range(0, -(1 << 45), -1)[1:])\n", false},
	{"a list of a long range", "x = list(range(1 << 40))\n", true},
	{"a sorted long range", "x = sorted(range(1 << 34))\n", true},
	{"a reversed long range", "x = reversed(range(1 << 34))\n", true},
	{"a set of a long range", "x = set(range(1 << 34))\n", true},
	{"a dict of a long range", "x = dict(zip(range(1 << 33), range(1 << 33)))\n", true},
	{"zip of long ranges", "x = zip(*[range(1 << 30)] * 50)\n", true},
	{"enumerate of a long range", "x = enumerate(range(1 << 33))\n", true},
	{"a tuple times a number", "x = (0,) * (1 << 29)\n", true},
	{"a list times a number", "x = [0] * (1 << 40)\n", true},
	{"a string times a number", "x = 'a' * (1 << 36)\n", true},
	{"bytes times a number", "x = bytes('a') * (1 << 31)\n", true},
	{"a string that doubles", "s = 'a'\nwhile True:\n    s = s + s\n", true},
	{"a list that doubles", "l = [1]\nwhile True:\n    l = l + l\n", true},
	{"joined strings", "x = ','.join(['a' * 1000] * (1 << 22))\n", true},
	{"replaced strings", "x = ('a' * (1 << 16)).replace('a', 'b' * (1 << 16))\n", true},
	{"formatted strings", "x = 'a' * (1 << 27)\ny = '{}{}{}{}'.format(x, x, x, x) * 8\n", true},
	{"a number that doubles its digits", "x = 7\nwhile True:\n    x = x * x\n", true},
	{"a shift", "x = 1 << (1 << 30)\n", true},
	{"a list a million deep", "x = []\nfor i in range(1000000):\n    x = [x]\nprint(x)\n", true},
	{"lists that are compared", "x, y = [], []\nfor i in range(1000000):\n    x, y = [x], [y]\nassert.eq(x, y)\n", true},
	{"a tuple that is hashed", "x = ()\nfor i in range(3000000):\n    x = (x,)\nd = {x: 1}\n", true},
	{"a list that holds itself", "x = []\nx.append(x)\nprint(x)\n", false},
	{"parentheses", "x = " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + "\n", true},
	{"not, many times", "x = " + strings.Repeat("not ", 200000) + "True\n", false},
	{"a line of a million additions", "x = 1" + strings.Repeat("+1", 1000000) + "\n", false},
	{"much output", "for i in range(3000000):\n    print('x' * 100)\n", true},
	{"all tensors, many times", "for i in range(1000000):\n    tensors()\n", true},
	{"an export above its folder", "export('../escaped.dot')\n", true},
	{"an export to anywhere", "export('/var/tmp/escaped.dot')\n", true},
	{"an export through a link", "export('link/escaped.dot')\n", true},
	{"an export to a device", "export('/dev/full')\n", true},
	{"a module of another file", "load('/etc/passwd', 'x')\n", true},
	{"escape sequences", "print('\\x1b]52;c;eA==\\x07\\u009b31m\\r')\n", false},
	{"a command for CI", "print('\\n::error::x')\nassert.true(False, 'x\\n::error::x')\n", false},
}

// scripts runs each check script with a limit of ten seconds on a small tape.
func scripts(l *lab) {
	var largest int64
	for _, e := range escapes {
		l.try(e.name, func(t *trial) {
			tape, ok := t.record("small.py", small)
			if !ok {
				return
			}
			outside := filepath.Join(t.dir, "outside")
			if err := os.Mkdir(outside, 0o755); err != nil {
				t.fail("%v", err)
			}
			if err := os.MkdirAll(filepath.Join(t.dir, "out"), 0o755); err != nil {
				t.fail("%v", err)
			}
			if err := os.Symlink(outside, filepath.Join(t.dir, "out", "link")); err != nil {
				t.fail("%v", err)
			}
			t.write("check.star", e.text)
			r := t.gradtui("check", tape, "--script", "check.star", "--script-timeout", "10s", "--out", "out")
			if e.fails && r.code != 2 || r.code > 2 {
				t.fail("exit code %d: %.200s", r.code, r.stderr)
			}
			if c := hidden.FindString(r.stdout + r.stderr); c != "" {
				t.fail("%q reaches the output", c)
			}
			if order.MatchString(r.stdout) || order.MatchString(r.stderr) {
				t.fail("a line that CI takes for a command")
			}
			if r.usage != nil {
				took := int64(r.usage.Maxrss) << 10
				if largest = max(largest, took); took > mostScript {
					t.fail("takes %d MB", took>>20)
				}
			}
			for _, path := range []string{filepath.Join(t.dir, "escaped.dot"), "/var/tmp/escaped.dot", filepath.Join(outside, "escaped.dot")} {
				if _, err := os.Stat(path); err == nil {
					t.fail("wrote %s", path)
					os.Remove(path)
				}
			}
			t.expectClean()
		})
	}
	l.note("at most %s", fmt.Sprintf("%d MB", largest>>20))
}
