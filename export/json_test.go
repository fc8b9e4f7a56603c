package export_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/testing/schemadoc"
)

// parseJSON reads a document and checks that it is one of the schema, and that everything
// that it refers to is in it.
func parseJSON(t testing.TB, text string) *documents.Graph {
	t.Helper()
	if err := schemadoc.Validate("../docs/use/export.schema.json", text); err != nil {
		t.Fatal(err)
	}
	doc := new(documents.Graph)
	if err := json.Unmarshal([]byte(text), doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != "gradtui-graph" || doc.Version != 1 || !doc.Complete {
		t.Errorf("format %q, version %d, complete %v", doc.Format, doc.Version, doc.Complete)
	}
	tensors, nodes, modules := map[graph.TensorID]bool{0: true}, map[graph.NodeID]bool{0: true}, map[graph.ModuleID]bool{0: true}
	for _, m := range doc.Modules {
		if !modules[m.Outer] {
			t.Errorf("module %d is inside %d, which does not come before it", m.ID, m.Outer)
		}
		modules[m.ID] = true
	}
	for _, x := range doc.Tensors {
		tensors[x.ID] = true
	}
	for _, x := range doc.Tensors {
		if !tensors[x.Base] || !tensors[x.Grad] {
			t.Errorf("tensor %d: base %d or grad %d is missing", x.ID, x.Base, x.Grad)
		}
	}
	inside := map[graph.NodeID]bool{}
	for _, n := range doc.Nodes {
		inside[n.Inner] = true
	}
	for _, n := range doc.Nodes {
		for _, e := range n.Inputs {
			if e != nil && !nodes[e.Node] && !inside[n.ID] {
				t.Errorf("node %d: node %d does not come before it", n.ID, e.Node)
			}
		}
		for _, s := range n.Saved {
			if !tensors[s.Tensor] {
				t.Errorf("node %d: saved tensor %d is missing", n.ID, s.Tensor)
			}
		}
		if !tensors[n.Variable] || !nodes[n.Inner] || !modules[n.Module] {
			t.Errorf("node %d: variable %d, inner node %d or module %d is missing", n.ID, n.Variable, n.Inner, n.Module)
		}
		nodes[n.ID] = true
	}
	for _, r := range doc.Roots {
		if !tensors[r.Tensor] || !nodes[r.Node] {
			t.Errorf("root %+v is missing", r)
		}
	}
	return doc
}

func TestJSONSaysWhatTheGraphSays(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, 5)
	text, _ := write(t, m.graph(t), export.JSON, export.Options{})
	parseJSON(t, text)
	golden(t, "full/pending.json", text)
}

func TestJSONIsCompleteForAllRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		g := parse(t, r.tape)
		text, report := write(t, g, export.JSON, r.options("plain"))
		if doc := parseJSON(t, text); len(doc.Nodes) < report.Nodes {
			t.Errorf("%s: %d nodes of %d", r.name, len(doc.Nodes), report.Nodes)
		}
	}
}

func TestJSONDescribesResultsThatNoTensorIs(t *testing.T) {
	for name, c := range map[string]struct {
		opts export.Options
		want []string
	}{
		"by its node": {export.Options{}, []string{"TBackward0 0 float32 [3 6]", "UnsafeSplitBackward0 0 float64 [3 4]"}},
		"otherwise": {
			export.Options{Result: looksElsewhere},
			[]string{"TBackward0 0 float32 [3 6]", "UnsafeSplitBackward0 0 float64 [3 4]", "UnsafeSplitBackward0 1 float32 [3 1]"},
		},
	} {
		text, _ := write(t, composed().graph(t), export.JSON, c.opts)
		var got []string
		for _, n := range parseJSON(t, text).Nodes {
			for _, r := range n.Results {
				got = append(got, fmt.Sprint(n.Name, " ", r.Output, " ", r.DType, " ", r.Shape))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// JSON has no numbers for NaN and infinities, and a damaged tape may hold
// attributes without a value.
func TestJSONHoldsAttributesOfAllTypes(t *testing.T) {
	values := []graph.AttrValue{
		{Type: graph.AttrNone},
		{Type: graph.AttrBool, Ints: []int64{1}},
		{Type: graph.AttrInt, Ints: []int64{math.MinInt64}},
		{Type: graph.AttrUint, Ints: []int64{-1}},
		{Type: graph.AttrFloat, Floats: []float64{1e-7}},
		{Type: graph.AttrFloat, Floats: []float64{math.NaN()}},
		{Type: graph.AttrText, Text: "a\"b\xff"},
		{Type: graph.AttrInts, Ints: []int64{1, 2}},
		{Type: graph.AttrUints, Ints: []int64{-1, 2}},
		{Type: graph.AttrFloats, Floats: []float64{0.5, math.Inf(1), math.Inf(-1)}},
		{Type: graph.AttrInts},
		{Type: graph.AttrInt},
	}
	m := newMaker()
	var attrs []graph.Attr
	for _, v := range values {
		attrs = append(attrs, graph.Attr{Name: m.str("x"), AttrValue: v})
	}
	a := m.leaf("a", 1)
	m.tensor(graph.TensorCreated{Shape: []int{1}, Node: m.node("FBackward", 1, []value{a}, nil, attrs...)})
	text, _ := write(t, m.graph(t), export.JSON, export.Options{})
	doc := parseJSON(t, text)
	var got []string
	for _, a := range doc.Nodes[1].Attrs {
		got = append(got, a.Type+" "+string(a.Value))
	}
	want := []string{
		"none null", "bool true", "int -9223372036854775808", "int 18446744073709551615", "float 1e-07", `float "nan"`, `text "a\"b\ufffd"`,
		"ints [1,2]", "ints [18446744073709551615,2]", `floats [0.5,"inf","-inf"]`, "ints []", "int null",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The nodes inside CopySlices nodes, which no edge leads to, are in the
// document, with what they saved.
func TestJSONHoldsTheInsidesOfCopySlices(t *testing.T) {
	g, opts := record(t, engineRecordings["inplace"])
	text, _ := write(t, g, export.JSON, opts)
	var inside []string
	doc := parseJSON(t, text)
	names := map[graph.NodeID]string{}
	for _, n := range doc.Nodes {
		names[n.ID] = n.Name
		if n.Inner != 0 {
			inside = append(inside, n.Name+" "+names[n.Inner])
		}
	}
	if diff := cmp.Diff([]string{"CopySlices CopyBackwards"}, inside); diff != "" {
		t.Error(diff)
	}
}
