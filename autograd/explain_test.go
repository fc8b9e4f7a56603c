package autograd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// TestWrongArgumentsAreExplainedAsPyTorchDoes compares messages with the
// recordings of tools/record/arguments.py.
func TestWrongArgumentsAreExplainedAsPyTorchDoes(t *testing.T) {
	f, err := os.Open("testdata/arguments/errors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, n := bufio.NewScanner(f), 0
	for ; lines.Scan(); n++ {
		fn, c, want := recordedCall(t, lines.Bytes())
		place, name, _ := strings.Cut(fn, ".")
		signatures := schema.Python(place, name)
		c.name = signatures[len(signatures)-1].Name
		if place == "Tensor" {
			c.self = recordedArgument("T")
		}
		got := "no error"
		if e := c.explain(signatures); e != nil {
			got = e.Text
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", lines.Text(), got, want)
		}
	}
	if n < 400 {
		t.Errorf("only %d recorded messages", n)
	}
}

func recordedCall(t *testing.T, line []byte) (fn string, c pythonCall, text string) {
	t.Helper()
	var r struct {
		Fn, Text string
		Args     []any
		Kwargs   json.RawMessage
	}
	decode := func(text []byte) *json.Decoder {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return d
	}
	if err := decode(line).Decode(&r); err != nil {
		t.Fatal(err)
	}
	c.args = recordedArgument(r.Args).([]any)
	keywords := decode(r.Kwargs) // in order
	keywords.Token()
	for keywords.More() {
		name, _ := keywords.Token()
		var v any
		if err := keywords.Decode(&v); err != nil {
			t.Fatal(err)
		}
		c.opts = append(c.opts, Kw(name.(string), recordedArgument(v)))
	}
	return r.Fn, c, r.Text
}

func recordedArgument(v any) any {
	switch v := v.(type) {
	case string:
		switch v {
		case "T":
			return Ones([]int{2, 3})
		case "Z":
			return filled(nil, Float32, 1)
		case "I":
			return filled(nil, Int64, 1)
		}
	case json.Number:
		return plainNumber(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = recordedArgument(v[i])
		}
		return out
	case map[string]any:
		return Tuple(recordedArgument(v["t"]).([]any))
	}
	return v
}
