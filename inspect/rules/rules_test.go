package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// The cases are programs in testdata/CODE/*.txtar. The file "want" names the finding
// that has to come first: its code, and lines of which one has to be among the first
// three lines of the finding. An empty file "want" stands for no findings.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some 400 programs")
	}
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkCase(t, archive)
		})
	}
}

func checkCase(t *testing.T, archive *txtar.Archive) {
	dir := t.TempDir()
	want, program := "", ""
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = strings.TrimSpace(string(f.Data))
			continue
		}
		if program == "" {
			program = filepath.Join(dir, f.Name)
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tape := pythontest.Record(t, program)
	report := inspect.Check(tape, rules.All(), inspect.Options{})
	forgetful := inspect.Check(tape, rules.All(), inspect.Options{Window: -1})
	if diff := cmp.Diff(report.Findings, forgetful.Findings); diff != "" {
		t.Errorf("a history that forgets all but the last iterations changes the findings:\n%s", diff)
	}
	var loud []string
	for _, f := range report.Findings {
		checkEvidence(t, tape, f)
		if f.Severity >= inspect.SeverityWarning {
			loud = append(loud, fmt.Sprintf("%s %v: %s", f.Code, lines(f), f.Message))
		}
	}
	if want == "" {
		if len(loud) > 0 {
			t.Errorf("not silent:\n%s", strings.Join(loud, "\n"))
		}
		return
	}
	fields := strings.Fields(want)
	if len(loud) == 0 {
		t.Fatalf("silent, want %s", want)
	}
	first := report.Findings[0]
	named := lines(first)
	named = named[:min(3, len(named))]
	right := slices.ContainsFunc(fields[1:], func(line string) bool {
		n, err := strconv.Atoi(line)
		return err == nil && slices.Contains(named, n)
	})
	if first.Code != fields[0] || !right {
		t.Errorf("want %s, got\n%s", want, strings.Join(loud, "\n"))
	}
}

// checkEvidence fails unless a finding says what speaks for it, with events of the tape, and names only
// rules that there are.
func checkEvidence(t *testing.T, tape *graph.Tape, f inspect.Finding) {
	clean := func(text string) {
		if text == "" || strings.ContainsFunc(text, unicode.IsControl) || strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: evidence %q", f.Code, text)
		}
	}
	if !slices.ContainsFunc(f.Evidence, func(e inspect.Evidence) bool { return !e.Against }) {
		t.Errorf("%s at line %d: nothing speaks for it", f.Code, f.Primary.Line)
	}
	for _, e := range f.Evidence {
		clean(e.Label)
		if e.At < -1 || e.At >= tape.Len() {
			t.Errorf("%s: %q is shown by event %d of %d", f.Code, e.Label, e.At, tape.Len())
		}
	}
	for _, other := range f.Instead {
		clean(other.Fact)
		if _, known := rules.Find(other.Code); !known || other.Code == f.Code {
			t.Errorf("%s instead of %s", f.Code, other.Code)
		}
	}
}

// runAgain runs a program eight times in one process.
const runAgain = `import os, runpy

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prog.py")
for _ in range(8):
    runpy.run_path(program)
`

func TestAProgramThatRunsAgainHasTheSameFindingsWhateverTheHistoryForgets(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/grad-none-rewrapped/parameter_each_forward.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range append(archive.Files, txtar.File{Name: "again.py", Data: []byte(runAgain)}) {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tape := pythontest.Record(t, filepath.Join(dir, "again.py"))
	all := inspect.Check(tape, rules.All(), inspect.Options{})
	forgetful := inspect.Check(tape, rules.All(), inspect.Options{Window: -1})
	if all.History.Forgot() || !forgetful.History.Forgot() {
		t.Fatalf("the histories have forgotten: %t, %t", all.History.Forgot(), forgetful.History.Forgot())
	}
	if len(all.Findings) != 1 {
		t.Errorf("%d findings", len(all.Findings))
	}
	if diff := cmp.Diff(all.Findings, forgetful.Findings, cmpopts.IgnoreFields(inspect.Finding{}, "Count")); diff != "" {
		t.Error(diff)
	}
}

func TestStoriesAreTheSameWhateverTheHistoryForgets(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/clean/replay_of_detached_outputs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "prog.py")
	for _, f := range archive.Files {
		if filepath.Ext(f.Name) != ".py" {
			continue
		}
		if err := os.WriteFile(program, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tape := pythontest.Record(t, program)
	all := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	forgetful := inspect.ReadHistory(tape, tape.Len(), inspect.Options{Window: -1})
	if all.Forgot() || !forgetful.Forgot() {
		t.Fatalf("the histories have forgotten: %t, %t", all.Forgot(), forgetful.Forgot())
	}
	for id := 1; id <= all.TensorCount(); id++ {
		want, _ := story.Of(all, graph.TensorID(id))
		got, _ := story.Of(forgetful, graph.TensorID(id))
		if diff := cmp.Diff(want.Facts, got.Facts); diff != "" {
			t.Errorf("t%d:\n%s", id, diff)
		}
	}
}

// lines returns the lines that a finding names, the one to change first.
func lines(f inspect.Finding) []int {
	named := []int{f.Primary.Line}
	for _, s := range f.Related {
		named = append(named, s.Line)
	}
	return named
}

func TestMain(m *testing.M) { pythontest.Main(m) }

func TestTheRulesAreSortedByTheirCodes(t *testing.T) {
	if !slices.IsSortedFunc(rules.All(), func(a, b inspect.Rule) int { return strings.Compare(a.Code, b.Code) }) {
		t.Error("sort the list of rules")
	}
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) != len(rules.All()) {
		t.Errorf("%d documents for %d rules", len(documents), len(rules.All()))
	}
}

func TestEveryRuleIsDocumentedAndHasCases(t *testing.T) {
	for _, r := range rules.All() {
		for _, part := range []string{"# " + r.Code + "\n", "## Why it happens", "## How to fix it", "## Example"} {
			if !strings.Contains(r.Doc, part) {
				t.Errorf("docs/%s.md lacks %q", r.Code, part)
			}
		}
		if r.Title == "" || r.Severity == 0 {
			t.Errorf("%s has no title or severity", r.Code)
		}
		if cases, _ := filepath.Glob("testdata/" + r.Code + "/*.txtar"); len(cases) == 0 {
			t.Errorf("%s has no cases", r.Code)
		}
	}
}
