package dotlang

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFoldsStatementsIntoObjects(t *testing.T) {
	got, err := Parse([]byte(`strict digraph "the graph" {
	graph [bb="0,0,1,1", label="" ];
	node [shape=box];
	edge [color=red]
	rankdir=LR
	a [label="two\
 lines, \"quoted\" and \N" + " glued"];
	subgraph cluster_0 {
		graph [bb="2,2,3,3"];
		node [shape=circle color=blue];
		b; c [label=<<b>x</b>>];
		subgraph cluster_1 { d }
	}
	{ rank=same; e }
	a:p:n -> b -> "c" [style=dashed][dir=none];
	f -> a
	a [shape=point]
}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Graph{
		Name:     "the graph",
		Directed: true,
		Attrs:    Attrs{"bb": "0,0,1,1", "label": "", "rankdir": "LR"},
		Nodes: []*Node{
			{"a", Attrs{"shape": "point", "label": `two lines, "quoted" and \N glued`}, true},
			{"b", Attrs{"shape": "circle", "color": "blue"}, true},
			{"c", Attrs{"shape": "circle", "color": "blue", "label": "<b>x</b>"}, true},
			{"d", Attrs{"shape": "circle", "color": "blue"}, true},
			{"e", Attrs{"shape": "box"}, true},
			{"f", Attrs{"shape": "box"}, false},
		},
		Edges: []*Edge{
			{"a", "b", Attrs{"color": "red", "style": "dashed", "dir": "none"}},
			{"b", "c", Attrs{"color": "red", "style": "dashed", "dir": "none"}},
			{"f", "a", Attrs{"color": "red"}},
		},
		Clusters: []*Cluster{
			{"cluster_0", Attrs{"bb": "2,2,3,3", "label": "", "rankdir": "LR"}},
			{"cluster_1", Attrs{"bb": "2,2,3,3", "label": "", "rankdir": "LR"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", "line 1: unexpected end of the text"},
		{"tree {}", `line 1: unexpected "tree"`},
		{"graph {\n a = }", `line 2: unexpected "}"`},
		{"graph {\n a [b] }", `line 2: unexpected "]"`},
		{"graph {\n a -- {b} }", `line 2: edge to a subgraph`},
		{"graph {\n a [b=\"c\" + d] }", `line 2: unexpected "d"`},
		{"graph {\n a", "line 2: unexpected end of the text"},
		{"graph " + strings.Repeat("{", 2000), "line 1: subgraphs nest deeper than 1000"},
	} {
		_, err := Parse([]byte(tc.in))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != tc.want {
			t.Errorf("%.20q: error %v, want %s", tc.in, err, tc.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`strict graph x { node [a=b, c="d"]; subgraph cluster { e -- f:g [h=<i>] } }`))
	f.Fuzz(func(t *testing.T, dot []byte) {
		g, err := Parse(dot)
		if err != nil {
			return
		}
		known := map[string]bool{}
		for _, n := range g.Nodes {
			if known[n.Name] {
				t.Errorf("node %q appears twice", n.Name)
			}
			known[n.Name] = true
		}
		for _, e := range g.Edges {
			if !known[e.Tail] || !known[e.Head] {
				t.Errorf("edge %q -> %q has no nodes", e.Tail, e.Head)
			}
		}
	})
}
