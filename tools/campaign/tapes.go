//go:build unix

package main

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

//go:embed programs/failing.py
var failing string

// most is how many bytes a command may take for a tape of a few thousand events.
const most = 1 << 30

// tapes reads tapes that were made by hand or are damaged.
func tapes(l *lab) {
	for _, name := range slices.Sorted(maps.Keys(crafted)) {
		l.try(name, func(t *trial) { t.survives(t.write("crafted.tape", crafted[name])) })
	}
	var sound []byte
	var text string
	l.try("the tape", func(t *trial) {
		path, ok := t.record("failing.py", failing)
		if !ok {
			return
		}
		tape, _, err := tapefile.Open(path, tapefile.Options{})
		var b strings.Builder
		if err == nil {
			err = tapefile.WriteText(&b, tape)
		}
		var read error
		sound, read = os.ReadFile(path)
		if err = errors.Join(err, read); err != nil {
			t.fail("%v", err)
		}
		text = b.String()
	})
	if text == "" {
		return
	}
	for i := range l.count {
		for _, m := range mutations {
			l.try(fmt.Sprintf("%s, %d", m.name, i), func(t *trial) {
				t.survives(t.write("mutated.tape", m.make(t, sound, text)))
			})
		}
	}
}

// survives asks every command about a tape, one after the other: words, no crash.
func (t *trial) survives(tape string) {
	for _, args := range [][]string{
		{"check", tape, "--hints"}, {"stat", tape}, {"explain", tape, "t1"}, {"explain", tape, "loss"}, {"tape", "verify", tape},
		{"tape", "text", tape}, {"export", tape}, {"export", tape, "--format", "json", "-o", "-"}, {"diff", tape, tape},
		{"open", "--plain-ui", tape},
	} {
		r := t.command(asked, t.bin, args...)
		if r.code > 2 {
			t.fail("%s: exit code %d: %.200s", args[0], r.code, r.stderr)
		}
		if r.usage != nil && int64(r.usage.Maxrss)<<10 > most {
			t.fail("%s takes %d MB", args[0], r.usage.Maxrss>>10)
		}
	}
}

// crafted are tapes in text form that no engine would write.
var crafted = map[string]string{
	"nothing":                          "",
	"only a head":                      "# gradtui tape 1.0\n",
	"another version":                  "# gradtui tape 9.0\n",
	"a pass that never began":          `+0s node-created node=1 name="A"` + "\n" + `+0s backward-failed backward=1 node=1 type="RuntimeError" message="x"` + "\n",
	"a tensor that was never made":     `+0s op-ran op="mul" inputs=[7,8] outputs=[9]` + "\n" + `+0s mutated tensor=9 from=1 to=2` + "\n",
	"a node that was never made":       `+0s tensor-created tensor=1 node=99` + "\n" + `+0s node-executed backward=3 node=98` + "\n",
	"the largest numbers":              `+0s tensor-created tensor=4294967295 storage=4294967295 counter=4294967295 node=4294967295` + "\n" + `+0s op-ran op="mul" inputs=[4294967295]` + "\n",
	"a tensor that is its own base":    `+0s tensor-created tensor=1 storage=1 counter=1 base=1 view=plain` + "\n" + `+0s tensor-created tensor=2 base=2 view=plain` + "\n",
	"a node that is its own edge":      `+0s node-created node=1 name="A" outputs=1 edges=[(node=1),(node=1)]` + "\n" + `+0s tensor-created tensor=1 node=1` + "\n",
	"passes within passes":             strings.Repeat("+0s backward-began\n", 3000),
	"modules that are never left":      strings.Repeat("+0s module-entered type=\"M\"\n", 3000),
	"ten thousand arguments":           "# gradtui tape 1.0\n" + strings.Repeat("# arg \"--x\"\n", 10000),
	"a name of a million characters":   "+0s tensor-created tensor=1 storage=1 counter=1\n+0s name-bound name=\"" + strings.Repeat("n", 1<<20) + "\" tensor=1\n",
	"a file name of 60,000 characters": `stack 1 "` + strings.Repeat("f", 60000) + `.py":1:0-1:5:"<module>"` + "\n+0s tensor-created @1 tensor=1 storage=1 counter=1\n",
	"no line that is one":              strings.Repeat("x", 1<<20),
}

// A mutation damages a tape.
type mutation struct {
	name string
	make func(t *trial, sound []byte, text string) string
}

var mutations = []mutation{
	{"bits", func(t *trial, sound []byte, _ string) string {
		b := []byte(string(sound))
		for range 1 + t.rng.IntN(8) {
			b[t.rng.IntN(len(b))] ^= 1 << t.rng.IntN(8)
		}
		return string(b)
	}},
	{"cut", func(t *trial, sound []byte, _ string) string { return string(sound[:t.rng.IntN(len(sound))]) }},
	{"moved", func(t *trial, sound []byte, _ string) string {
		i, j := t.rng.IntN(len(sound)), t.rng.IntN(len(sound))
		return string(sound[:i]) + string(sound[j:])
	}},
	{"lines", func(t *trial, _ []byte, text string) string {
		lines := strings.SplitAfter(text, "\n")
		for range 1 + t.rng.IntN(20) {
			i, j := t.rng.IntN(len(lines)), t.rng.IntN(len(lines))
			switch t.rng.IntN(3) {
			case 0:
				lines[i], lines[j] = lines[j], lines[i]
			case 1:
				lines[i] = ""
			case 2:
				lines[i] += lines[j]
			}
		}
		return strings.Join(lines, "")
	}},
	{"numbers", func(t *trial, _ []byte, text string) string {
		lines := strings.SplitAfter(text, "\n")
		for range 1 + t.rng.IntN(30) {
			i := t.rng.IntN(len(lines))
			lines[i] = renumbered(t, lines[i])
		}
		return strings.Join(lines, "")
	}},
	{"arbitrary events", func(t *trial, _ []byte, _ string) string {
		var b strings.Builder
		if err := tapefile.WriteText(&b, rapid.Custom(tapetest.Hostile).Example(t.rng.IntN(1<<30))); err != nil {
			t.fail("%v", err)
		}
		return b.String()
	}},
}

// number finds the numbers of tensors, nodes, versions and passes in a line.
var number = regexp.MustCompile(`\b[0-9]+\b`)

// odd are numbers at which something begins or ends.
var odd = []string{"0", "1", "2", "7", "1000", "65536", "4294967295", "18446744073709551615"}

// renumbered changes one number of an event.
func renumbered(t *trial, line string) string {
	places := number.FindAllStringIndex(line, -1)
	if len(places) == 0 {
		return line
	}
	at := places[t.rng.IntN(len(places))]
	return line[:at[0]] + odd[t.rng.IntN(len(odd))] + line[at[1]:]
}
