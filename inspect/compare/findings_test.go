package compare_test

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
)

func TestFindingsOfTwoRunsAreCompared(t *testing.T) {
	at := func(code string, line int) inspect.Finding {
		return inspect.Finding{Code: code, Primary: inspect.Span{Frame: graph.Frame{File: "a.py", Line: line}}}
	}
	gone, added, both := compare.Findings(
		[]inspect.Finding{at("nan-grad", 3), at("step-order", 3), at("step-order", 4)},
		[]inspect.Finding{at("step-order", 4), at("nan-grad", 5)},
	)
	if len(gone) != 2 || gone[0].Code != "nan-grad" || gone[1].Primary.Line != 3 || len(added) != 1 || added[0].Primary.Line != 5 || both != 1 {
		t.Errorf("gone %v, new %v, both %d", gone, added, both)
	}
}

func TestFindingsFollowTheirLinesInAnEditedProgram(t *testing.T) {
	at := func(code string, line int) inspect.Finding {
		return inspect.Finding{Code: code, Primary: inspect.Span{Frame: graph.Frame{File: "a.py", Line: line}}}
	}
	now := map[int]int{3: 5, 4: 6} // two lines were inserted before line 3, and line 9 was deleted
	gone, added, both := compare.FindingsOfEdited(
		[]inspect.Finding{at("nan-grad", 3), at("step-order", 9), at("ended with OSError", 0)},
		[]inspect.Finding{at("nan-grad", 5), at("step-order", 3), at("ended with OSError", 0)},
		func(f graph.Frame) int { return now[f.Line] },
	)
	if len(gone) != 1 || gone[0].Primary.Line != 9 || len(added) != 1 || added[0].Primary.Line != 3 || both != 2 {
		t.Errorf("gone %v, new %v, both %d", gone, added, both)
	}
}
