package graph_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

func TestErrorsInTheTextFormNameTheLine(t *testing.T) {
	for line, want := range map[string]string{
		`op-ran`:                         `"op-ran" is not a time since the event before (such as +0s)`,
		`+-1s op-ran`:                    `"+-1s" is not a time since the event before (such as +0s)`,
		`+0s op_ran`:                     `unknown kind of event "op_ran"`,
		`+0s kind256`:                    `unknown kind of event "kind256"`,
		`+0s op-ran @1`:                  `stack "@1" was not defined`,
		`+0s op-ran t99999999999`:        `malformed thread "t99999999999"`,
		`+0s op-ran colour=1`:            `op-ran has no such field here: "colour=1"`,
		`+0s op-ran node=1 op="mul"`:     `op-ran has no such field here: "op=\"mul\""`,
		`+0s op-ran op=mul`:              `quoted string expected at "mul"`,
		`+0s op-ran op='mul'`:            `quoted string expected at "'mul'"`,
		`+0s op-ran op="\q"`:             `malformed string "\"\\q\""`,
		`+0s op-ran inputs=1`:            `'[' expected at "1"`,
		`+0s op-ran inputs=[1`:           `']' expected at ""`,
		`+0s op-ran inputs=[1,x]`:        `inputs is not a number: "x"`,
		`+0s op-ran inputs=[4294967296]`: `inputs 4294967296 is out of range`,
		`+0s op-ran attrs=[(type=set)]`:  `unknown type "set"`,
		`+0s tensor-created shape=[1.5]`: `shape is not a number: "1.5"`,
		`+0s tensor-created flags=leaf`:  `unknown flags "leaf"`,
		`+0s tensor-created flags=8`:     `unknown flags "8"`,
		`+0s requires-grad to=yes`:       `to is neither true nor false: "yes"`,
		`+0s mutated value=(dtype=int8 count=2 whole=true first=[1])`: `value says it is whole but holds 1 of 2 elements`,
		`+0s mutated value=(dtype=float32 count=2 first=[1e99])`:      `no number: "1e99"`,
		`stack 2 "a.py":1:0-0:0:"f"`:                                  `stack 1 expected, not "2"`,
		`stack 1 "a.py":1`:                                            `malformed frame "\"a.py\":1"`,
		`stack 1 "a.py":1:0-0:0:f`:                                    `malformed frame "\"a.py\":1:0-0:0:f"`,
	} {
		tape := graph.NewTape(graph.Limits{})
		err := tape.ReadText(strings.NewReader("# a comment\n+0s iteration\n" + line + "\n+0s iteration\n"))
		if want = "line 3: " + want; err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", line, err, want)
		}
		if tape.Len() != 1 {
			t.Errorf("%s: %d events", line, tape.Len())
		}
	}
}

func TestALineOfAnySizeIsAnError(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	err := tape.ReadText(strings.NewReader("\n" + strings.Repeat("x", 48<<20)))
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Error(err)
	}
}

// A tape in text form can be written by hand: what it does not say is zero.
func TestTheTextFormIsForgiving(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	err := tape.ReadText(strings.NewReader("\r\n  +1.5us   op-ran   inputs=[] attrs=[]  \r\n" +
		"stack 1\n+0s kind2 @1 op=\"\" attrs=[()] \n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "+1.5µs op-ran\n+0s op-ran attrs=[()]\n"
	if diff := cmp.Diff(want, text(t, tape)); diff != "" {
		t.Error(diff)
	}
}
