package autograd

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

func TestProbe(t *testing.T) {
	f, err := os.Open("/tmp/probe.txt")
	if err != nil {
		t.Skip()
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	good, bad := 0, map[string]int{}
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "{") {
			continue
		}
		var c struct {
			Fn, Type, Text string
			Args           []any
			Kwargs         json.RawMessage
		}
		dec := json.NewDecoder(strings.NewReader(lines.Text()))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		var call pythonCall
		call.args = probeArg(c.Args).([]any)
		kd := json.NewDecoder(strings.NewReader(string(c.Kwargs)))
		kd.UseNumber()
		kd.Token()
		for kd.More() {
			name, _ := kd.Token()
			var v any
			kd.Decode(&v)
			call.opts = append(call.opts, Kw(name.(string), probeArg(v)))
		}
		place, name, _ := strings.Cut(c.Fn, ".")
		sigs := schema.Python(place, name)
		if len(sigs) == 0 {
			continue
		}
		call.name = sigs[len(sigs)-1].Name
		if sigs[0].Written && place == "torch" {
			continue
		}
		if place == "Tensor" {
			call.self = probeArg("T")
		}
		if strings.Contains(c.Text, "align_to") || strings.Contains(c.Text, "rename") {
			continue
		}
		e := call.explain(sigs)
		got := ""
		if e != nil {
			got = e.Text
		}
		if got != c.Text {
			key := c.Text
			if i := strings.Index(key, "must be"); i > 0 {
				key = "must"
			}
			if len(key) > 40 {
				key = key[:40]
			}
			bad[key]++
			if bad[key] < 3 {
				t.Errorf("%s\n got %q\nwant %q", lines.Text()[:min(150, len(lines.Text()))], got, c.Text)
			}
		} else {
			good++
		}
	}
	t.Log(good, len(bad))
}

func probeArg(v any) any {
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
			out[i] = probeArg(v[i])
		}
		return out
	case map[string]any:
		return Tuple(probeArg(v["t"]).([]any))
	}
	return v
}
