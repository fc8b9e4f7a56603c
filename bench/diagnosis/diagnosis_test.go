package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradtui/gradtui/internal/testing/require"
)

var update = flag.Bool("update", false, "write the mutants into testdata/operators.txtar")

// mutate runs mutate.py.
func mutate(t *testing.T, stdin []byte, arguments ...string) []byte {
	t.Helper()
	if _, err := os.ReadFile("mutate.py"); err != nil { // go test runs the test again if it changes
		t.Fatal(err)
	}
	cmd := exec.Command(require.Command(t, "python3"), append([]string{"mutate.py"}, arguments...)...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("mutate.py %v: %v\n%s", arguments, err, stderr.String())
	}
	return text
}

// The archive holds a snippet for each operator and, behind it, its mutants, each below
// a line with the lines that are right answers.
func TestOperatorsMutateSnippets(t *testing.T) {
	const file = "testdata/operators.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	snippets, place := map[string]string{}, map[string]int{}
	for i := 0; i < len(archive.Files); i += 2 {
		snippets[archive.Files[i].Name], place[archive.Files[i].Name] = string(archive.Files[i].Data), i+1
	}
	request, err := json.Marshal(snippets)
	if err != nil {
		t.Fatal(err)
	}
	var mutants map[string][]struct {
		Text  string
		Lines []int
	}
	if err := json.Unmarshal(mutate(t, request, "snippets"), &mutants); err != nil {
		t.Fatal(err)
	}
	for operator := range strings.Lines(string(mutate(t, nil, "operators"))) {
		name, _, _ := strings.Cut(operator, "\t")
		t.Run(name, func(t *testing.T) {
			if len(mutants[name]) == 0 {
				t.Fatal("there is no mutant of a snippet")
			}
			var got strings.Builder
			for _, m := range mutants[name] {
				fmt.Fprintf(&got, "# lines %s\n%s", strings.Trim(fmt.Sprint(m.Lines), "[]"), m.Text)
			}
			golden := &archive.Files[place[name]]
			if want := string(golden.Data); want != got.String() && !*update {
				t.Error(cmp.Diff(want, got.String()))
			}
			golden.Data = []byte(got.String())
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheTableListsMutantsOfThePrograms(t *testing.T) {
	require.Command(t, "python3")
	for _, file := range []string{"mutate.py", "kept.tsv"} { // go test runs the test again if they change
		if _, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	subjects, err := mutants(".", t.TempDir(), "both")
	if err != nil {
		t.Fatal(err)
	}
	bugs := map[string]int{}
	for _, s := range subjects {
		text, err := os.ReadFile(s.program)
		if err != nil {
			t.Fatal(err)
		}
		if s.correct() {
			continue
		}
		bugs[s.half]++
		for _, line := range s.lines {
			if n := bytes.Count(text, []byte("\n")); line < 1 || line > n {
				t.Errorf("%s: line %d of %d is to blame", s.id, line, n)
			}
		}
		if len(s.lines) == 0 || len(s.causes) == 0 {
			t.Errorf("%s: no line or no cause is right", s.id)
		}
	}
	if bugs[learn] < 100 || bugs[aside] < 100 {
		t.Errorf("the halves have %d and %d mutants", bugs[learn], bugs[aside])
	}
}

func TestAScoreCountsTheFirstFinding(t *testing.T) {
	bug := subject{group: "leaf-inplace", causes: []string{"leaf-inplace", "inplace-alias"}, lines: []int{7, 8}}
	var got score
	for _, a := range []answer{
		{Cause: "inplace-alias", Lines: []int{1, 2, 8}},
		{Cause: "inplace-alias", Lines: []int{1, 2, 3, 8}},
		{Cause: "nan-grad", Lines: []int{7}},
		{},
	} {
		got.add(bug, a)
	}
	got.add(subject{}, answer{})
	got.add(subject{}, answer{Cause: "nan-grad", Lines: []int{1}})
	want := score{bugs: 4, cause: 2, line1: 1, line3: 2, right: 1, silent: 1, correct: 2, noise: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTheHalfAsideStaysUnknown(t *testing.T) {
	subjects := []subject{
		{id: "a", half: learn, group: "g", causes: []string{"c"}, lines: []int{1}},
		{id: "b", half: aside, group: "g", causes: []string{"c"}, lines: []int{1}},
	}
	answers := []answer{{ID: "a"}, {ID: "b"}}
	var wrong strings.Builder
	printWrong(&wrong, subjects, answers)
	if diff := cmp.Diff("a: [c] at [1], got nothing\n", wrong.String()); diff != "" {
		t.Error(diff)
	}
	file := t.TempDir() + "/answers.jsonl"
	if err := writeAnswers(file, subjects, answers); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{\"id\":\"a\"}\n" {
		t.Errorf("the file has %s", text)
	}
}
