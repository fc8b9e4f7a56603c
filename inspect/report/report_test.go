package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/testing/schemadoc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testRules are what the reports of the tests were made with.
var testRules = []inspect.Rule{
	{Code: "inplace-saved-tensor", Severity: inspect.SeverityError, Title: "A saved tensor was changed.", Doc: "# inplace-saved-tensor\n\nIt was changed.\n"},
	{Code: "memory-growth", Severity: inspect.SeverityWarning, Title: "Graphs are kept alive."},
	{Code: "nan-grad", Severity: inspect.SeverityWarning, Title: "A derivative is NaN."},
}

const rollout = `import torch


class Integrator:
    def __init__(self, dt):
        self.dt = dt

    def advance(self, pos, vel, acc):
        # semi-implicit
        vel = vel + acc * self.dt
        pos += vel * self.dt
        return pos, vel


policy = torch.nn.Linear(2, 2)
pos = vel = torch.zeros(4, 2)
integrator = Integrator(0.1)
for step in range(20):
        acc = policy(pos)
        pos, vel = integrator.advance(pos, vel, acc)
loss = pos.pow(2).sum()
loss.backward()
`

// span is a part of a line: what is between two columns, in bytes.
func span(file string, line, col, endLine, endCol int, label string) inspect.Span {
	return inspect.Span{Frame: graph.Frame{File: file, Line: line, Col: col, EndLine: endLine, EndCol: endCol, Func: "f"}, Label: label, At: -1}
}

func sources(files map[string]string) func(string) []string {
	return func(name string) []string {
		if text, ok := files[name]; ok {
			return strings.Split(text, "\n")
		}
		return nil
	}
}

func exited(code int) *int { return &code }

// reports are what the formats are tried with.
var reports = map[string]*report.Report{
	"inplace": {
		Findings: []inspect.Finding{{
			Code: "inplace-saved-tensor", Severity: inspect.SeverityError, Count: 20, Tensors: []string{"pos"},
			Message: "`pos` was modified after LinearBackward saved it",
			Primary: span("/project/rollout.py", 11, 9, 11, 29, "modified in place here: version 5 -> 6 (Integrator.advance)"),
			Related: []inspect.Span{
				span("/project/rollout.py", 19, 15, 19, 26, "saved here as `mat1` at version 5 (AddmmBackward0, needed for policy.weight.grad)"),
				span("/project/rollout.py", 22, 1, 22, 16, "backward fails here"),
			},
			Help: "make a new tensor: `pos = pos + vel * self.dt`",
			Fix: &inspect.Fix{
				Title: "make a new tensor instead of modifying `pos`",
				Edits: []inspect.Edit{{File: "/project/rollout.py", Line: 11, Col: 12, EndLine: 11, EndCol: 16, Text: " = pos + "}},
			},
			Evidence: []inspect.Evidence{
				{Span: inspect.Span{Frame: graph.Frame{File: "/project/rollout.py", Line: 11}, Label: "`pos` is at version 6, and was saved at version 5", At: 812}},
				{Span: inspect.Span{Label: "the program goes on after the error", At: -1}, Against: true},
			},
			Instead: []inspect.Alternative{{Code: "stepped-before-backward", Fact: "the change is not part of a step"}},
		}},
		Rules: testRules, FailOn: inspect.SeverityWarning, ExitCode: 1, Dir: "/project",
		Source: sources(map[string]string{"/project/rollout.py": rollout}),
		Program: report.Program{
			Path: "rollout.py", Args: []string{"--epochs", "3"}, ExitCode: exited(1), Events: 900, Operations: 120, Passes: 1, Explained: true,
			Failure: &report.Failure{
				Type: "RuntimeError", At: graph.Frame{File: "/project/rollout.py", Line: 22},
				Message: "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [4, 2]] is at version 6; expected version 5 instead.",
			},
		},
	},
	"clean": {
		Rules: testRules, FailOn: inspect.SeverityError, Source: sources(nil), Hints: []string{"step-order"},
		Program: report.Program{Path: "train.py", ExitCode: exited(0), Events: 10, Operations: 8123, Passes: 50},
	},
	"incomplete": {
		Rules: testRules, FailOn: inspect.SeverityWarning, ExitCode: 2, Source: sources(nil),
		Incomplete: "the program was interrupted",
		Program:    report.Program{Path: "run.tape", Events: 10, Operations: 1, Passes: 1},
	},
	"script": {
		Rules: testRules, FailOn: inspect.SeverityWarning, ExitCode: 1, Source: sources(nil),
		Script:  "train.star:3:5: the norm is \u202e12\n::error::x",
		Program: report.Program{Path: "run.tape", Events: 10, Operations: 1, Passes: 1},
	},
	"own-bug": {
		Findings: []inspect.Finding{{
			Code: "memory-growth", Severity: inspect.SeverityHint, Count: 1, Message: "graphs are kept alive",
			Primary: span("/elsewhere/lib.py", 7, 0, 0, 0, ""),
		}},
		Rules: testRules, FailOn: inspect.SeverityWarning, ExitCode: 2, Ignored: 2, Dir: "/project", Source: sources(nil),
		Program: report.Program{
			Path: "train.py", ExitCode: exited(1), Events: 10, Operations: 1, Passes: 0,
			Stderr:  "  File \"train.py\", line 3\n    x ==== 4\nSyntaxError: invalid syntax \x1b[31m and a very long line that says all of it again and again",
			Failure: &report.Failure{Type: "KeyError", Message: "'weight'\nsecond line", At: graph.Frame{File: "/project/train.py", Line: 70}},
		},
	},
	"hostile": hostile(),
}

// hostile is about sources and texts that are not what one expects.
func hostile() *report.Report {
	long := "x = [" + strings.Repeat("1, ", 300) + "w.add_(1), " + strings.Repeat("2, ", 300) + "]"
	files := map[string]string{
		"/project/a,b:%.py": strings.Join([]string{
			"\tif x:\r",
			"\t\ty = \"\x1b[31mred\x07\"; w.add_(1)\r",
			"名前 = 'さくら'; w.mul_(2)  # 🌸",
			"e\u0301 = w.sub_(1)",
			"bad = '\xff\xfe'; w.zero_()",
			long,
			"loss = torch.nn.functional.mse_loss(",
			"    model(x),",
			"    target,",
			"    reduction='mean',",
			"    weight=None,",
			")  # end",
		}, "\n"),
		"/project/two.py": "w.fill_(0)\n",
	}
	at := strings.Index(long, "w.add_") + 1
	file := "/project/a,b:%.py"
	return &report.Report{
		Findings: []inspect.Finding{
			{
				Code: "inplace-saved-tensor", Severity: inspect.SeverityError, Count: 1,
				Message: "`\x1b[2J` was\nmodified: 100%, ::error::no\u202e",
				Primary: span(file, 2, 22, 2, 31, "here\r\n::error::there"),
				Related: []inspect.Span{
					span(file, 3, 26, 3, 35, "wide"),
					span(file, 4, 7, 4, 16, "combined"),
					span(file, 5, 13, 5, 22, "no UTF-8"),
					span(file, 6, at, 6, at+9, "far away in a long line, with a label that needs more than what is left of one line"),
					span("/project/two.py", 1, 1, 1, 11, "in another file"),
				},
				Help: "write `w = w + 1`\x1b]0;title\x07",
				Fix: &inspect.Fix{
					Title: "\x1b[2J\n::error::",
					Edits: []inspect.Edit{
						{File: file, Line: 3, Col: 26, EndLine: 3, EndCol: 35, Text: "\x1b]0;名\u202e\n"},
						{File: file, Line: 4, Col: 7, EndLine: 4, EndCol: 7, Text: "a"}, {File: file, Line: 5, Col: 13, EndLine: 5, EndCol: 22},
					},
				},
				Evidence: []inspect.Evidence{{Span: span(file, 2, 22, 2, 31, "`\x1b[2J` was\n::error::\u202e")}, {Span: inspect.Span{Label: "\x07", At: 7}, Against: true}},
				Instead:  []inspect.Alternative{{Code: "second-backward", Fact: "\n::error::\x07"}},
			},
			{
				Code: "memory-growth", Severity: inspect.SeverityWarning, Count: 1, Message: "<several> lines & more",
				Primary: span(file, 7, 8, 12, 2, "all of it"),
				Related: []inspect.Span{
					span(file, 1, 500, 1, 600, "beyond the end"),
					span("gone.py", 40, 3, 40, 9, "no source"),
					span(file, 99, 1, 99, 2, "no such line"),
				},
			},
			{Code: "nan-grad", Severity: inspect.SeverityWarning, Count: 1, Message: "nowhere"},
		},
		Rules: testRules, FailOn: inspect.SeverityError, ExitCode: 1, Dir: "/project", Source: sources(files),
		Program: report.Program{Path: "a,b:%.py", ExitCode: exited(0), Events: 1, Operations: 1, Passes: 1},
	}
}

func write(t *testing.T, r *report.Report, format string, o report.Options) string {
	t.Helper()
	f, err := report.FindFormat(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReportsInAllFormats(t *testing.T) {
	for name, r := range reports {
		t.Run(name, func(t *testing.T) {
			golden(t, "testdata/"+name+".txtar", func(format string) string { return write(t, r, format, report.Options{Evidence: true}) })
		})
	}
}

// golden compares what each format makes of something with an archive.
func golden(t *testing.T, path string, write func(format string) string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := &txtar.Archive{}
	for _, f := range report.FormatNames() {
		got.Files = append(got.Files, txtar.File{Name: f, Data: []byte(write(f))})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
		t.Errorf("-update rewrites it\n%s", diff)
	}
}

func TestSeveralReportsAreOneDocument(t *testing.T) {
	one, other := *reports["inplace"], *reports["incomplete"]
	one.Rules, other.Rules = nil, nil
	list := []*report.Report{&one, &other}
	text := map[string]string{}
	golden(t, "testdata/several.txtar", func(format string) string {
		f, err := report.FindFormat(format)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.WriteAll(&b, list, report.Options{}); err != nil {
			t.Fatal(err)
		}
		text[format] = b.String()
		return b.String()
	})
	for format, path := range schemas {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text[format]))
		if err == nil {
			err = schema(t, path).Validate(doc)
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColoursChangeNothingElse(t *testing.T) {
	for name, r := range reports {
		colored := write(t, r, "text", report.Options{Color: true})
		if plain := write(t, r, "text", report.Options{}); escapes.ReplaceAllString(colored, "") != plain {
			t.Errorf("%s: text with colours is other text", name)
		}
		if len(r.Findings) > 0 && !strings.Contains(colored, "\x1b[") {
			t.Errorf("%s: no colours", name)
		}
	}
}

func TestTextFitsIntoTheTerminalAndObeysNoProgram(t *testing.T) {
	for name, r := range reports {
		for line := range strings.Lines(write(t, r, "text", report.Options{Evidence: true})) {
			line = strings.TrimSuffix(line, "\n")
			if console.Printable(line) != line || strings.Contains(line, "\t") {
				t.Errorf("%s: %q is not printable", name, line)
			}
			if n := console.Width(line); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

func schema(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// schemas describe formats.
var schemas = map[string]string{"json": "../../docs/use/check.schema.json", "sarif": "testdata/sarif-schema-2.1.0.json"}

func TestJSONAndSARIFFollowTheirSchemas(t *testing.T) {
	for format, path := range schemas {
		s := schema(t, path)
		for name, r := range reports {
			text := write(t, r, format, report.Options{})
			if !utf8.ValidString(text) {
				t.Errorf("%s of %s is no UTF-8", format, name)
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err == nil {
				err = s.Validate(doc)
			}
			if err != nil {
				t.Errorf("%s of %s: %v", format, name, err)
			}
		}
	}
}

// A schema that lets everything pass says nothing.
func TestTheSchemaNamesAllFields(t *testing.T) {
	for name, r := range reports {
		if err := schemadoc.Validate(schemas["json"], write(t, r, "json", report.Options{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestJUnitCountsItsCases(t *testing.T) {
	for name, r := range reports {
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Cases    []struct {
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal([]byte(write(t, r, "junit", report.Options{})), &suites); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wrong := r.Failing()
		if r.Script != "" {
			wrong++
		}
		failures, errors := 0, 0
		for _, c := range suites.Cases {
			if c.Failure != nil {
				failures++
			}
			if c.Error != nil {
				errors++
			}
		}
		if suites.Tests != len(suites.Cases) || suites.Failures != failures || suites.Errors != errors || failures != wrong || (errors > 0) != (r.Unchecked() != "") {
			t.Errorf("%s: %+v", name, suites)
		}
	}
}

// The runner of GitHub Actions takes every line that begins with :: for a command.
func TestGitHubGetsOneCommandForEachFinding(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) ((file|line|endLine|col|endColumn|title)=[^,:]*,?)+::[^\r\n]+\n$`)
	for name, r := range reports {
		commands := 0
		for line := range strings.Lines(write(t, r, "github", report.Options{})) {
			if !strings.HasPrefix(strings.TrimSpace(line), "::") {
				continue
			}
			commands++
			if !command.MatchString(line) {
				t.Errorf("%s: %q", name, line)
			}
		}
		if commands != len(r.Findings) {
			t.Errorf("%s: %d commands for %d findings", name, commands, len(r.Findings))
		}
	}
}

func TestMachinesGetNothingThatIsNotVisible(t *testing.T) {
	hidden := "\x7f\u0085\u009b\u200b\u202e\u2066\u2028\ufeff\U0001fffe"
	r := hostile()
	r.Findings = slices.Clone(r.Findings)
	f := &r.Findings[0]
	f.Message, f.Help, f.Primary.File, f.Primary.Func, f.Tensors = hidden, hidden, hidden+".py", hidden, []string{hidden}
	r.Program.Path, r.Incomplete = hidden, hidden
	for _, format := range []string{"json", "sarif", "junit", "github"} {
		text := write(t, r, format, report.Options{})
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != unicode.ReplacementChar && console.Shown(r) != r }); i >= 0 {
			t.Errorf("%s: %q", format, text[max(0, i-40):i+4])
		}
	}
}

func TestNoReportHasACommandForACIService(t *testing.T) {
	const evil = "x\n::error::a\n  ::add-mask::b\n##[error]c ##vso[task.complete]d ###[e"
	r := hostile()
	r.Findings = slices.Clone(r.Findings)
	f := &r.Findings[0]
	f.Message, f.Help, f.Primary.File, f.Primary.Label, f.Primary.Func = evil, evil, evil+".py", evil, evil
	r.Program.Path, r.Program.Stderr, r.Script, r.Incomplete = evil, evil, evil, evil
	r.Program.Failure = &report.Failure{Type: evil, Message: evil}
	for _, format := range []string{"text", "json", "sarif", "junit"} {
		text := write(t, r, format, report.Options{})
		for line := range strings.Lines(text) {
			if strings.Contains(line, "##[") || strings.Contains(line, "##vso[") || console.BeginsCommand(line) {
				t.Errorf("%s: %q", format, line)
			}
		}
		if format != "junit" {
			continue
		}
		var read struct {
			Failures []string `xml:"testsuite>testcase>failure"`
		}
		if err := xml.Unmarshal([]byte(text), &read); err != nil || !strings.Contains(strings.Join(read.Failures, ""), "##[error]c ##vso[task.complete]d ###[e") {
			t.Errorf("what is escaped is not read back: %v\n%q", err, read.Failures)
		}
	}
}

// These are the attributes that Jenkins's schema, junit-10.xsd, gives the elements.
func TestJUnitHasTheAttributesOfTheCommonSchema(t *testing.T) {
	known := map[string]string{
		"testsuites": "name time tests failures disabled errors", "testsuite": "name tests failures errors group time skipped timestamp hostname id package file log url version",
		"testcase": "name time classname group", "failure": "type message", "error": "type message", "system-out": "",
	}
	for name, r := range reports {
		d := xml.NewDecoder(strings.NewReader(write(t, r, "junit", report.Options{})))
		for token, err := d.Token(); err == nil; token, err = d.Token() {
			e, ok := token.(xml.StartElement)
			attributes, element := known[e.Name.Local]
			if ok && !element {
				t.Errorf("%s: there is no element %s", name, e.Name.Local)
			}
			for _, a := range e.Attr {
				if !slices.Contains(strings.Fields(attributes), a.Name.Local) {
					t.Errorf("%s: %s has no attribute %s", name, e.Name.Local, a.Name.Local)
				}
			}
		}
	}
}

func TestSARIFNamesTheVersion(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "1.2.3", "v0.1.0-rc.1+dirty": "0.1.0-rc.1+dirty", "built from 94e44bd": "", "(devel)": ""} {
		r := *reports["clean"]
		r.Version = version
		var log struct {
			Runs []struct {
				Tool struct {
					Driver struct{ Version, SemanticVersion string }
				}
			}
		}
		if err := json.Unmarshal([]byte(write(t, &r, "sarif", report.Options{})), &log); err != nil {
			t.Fatal(err)
		}
		if d := log.Runs[0].Tool.Driver; d.Version != version || d.SemanticVersion != want {
			t.Errorf("%s: %+v", version, d)
		}
	}
}

func TestFingerprintsAreTheSameInEachFolder(t *testing.T) {
	prints := func(dir string) string {
		r := *reports["inplace"]
		r.Dir = "/elsewhere"
		r.Findings = slices.Clone(r.Findings)
		for i := range r.Findings {
			r.Findings[i].Primary.File = dir + "/train.py"
		}
		text := write(t, &r, "sarif", report.Options{})
		return strings.Join(regexp.MustCompile(`"gradtui/v2": ".*"`).FindAllString(text, -1), "\n")
	}
	if a, b := prints("/home/a"), prints("/builds/7"); a != b || a == "" {
		t.Errorf("%s\n%s", a, b)
	}
}
