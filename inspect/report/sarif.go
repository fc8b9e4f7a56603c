package report

import (
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// The parts of SARIF 2.1.0 that are used. The names are those of its schema,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	Version         string      `json:"version,omitempty"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	HelpURI          string     `json:"helpUri"`
	ShortDescription sarifText  `json:"shortDescription"`
	FullDescription  sarifText  `json:"fullDescription"`
	Help             *sarifText `json:"help,omitempty"`
	Configuration    struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
	Properties struct {
		Tags []string `json:"tags"`
	} `json:"properties"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID     string            `json:"ruleId"`
	RuleIndex  *int              `json:"ruleIndex,omitempty"`
	Level      string            `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  []sarifLocation   `json:"locations,omitempty"`
	Related    []sarifLocation   `json:"relatedLocations,omitempty"`
	Count      int               `json:"occurrenceCount,omitempty"`
	Prints     map[string]string `json:"partialFingerprints,omitempty"`
	Fixes      []sarifFix        `json:"fixes,omitempty"`
	Properties *sarifProperties  `json:"properties,omitempty"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted *sarifText  `json:"insertedContent,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifProperties struct {
	Tensors []string `json:"tensors"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifText     `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn,omitempty"`
	EndLine     int        `json:"endLine,omitempty"`
	EndColumn   int        `json:"endColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// sarifLevels are SARIF's words for severities.
var sarifLevels = map[inspect.Severity]string{
	inspect.SeverityError: "error", inspect.SeverityWarning: "warning", inspect.SeverityHint: "note",
}

func writeSARIF(w io.Writer, reports []*Report, _ Options) error {
	var runs []sarifRun
	for _, r := range reports {
		runs = append(runs, r.sarif())
	}
	return jsontext.Encode(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    runs,
	}, "  ")
}

func (r *Report) sarif() sarifRun {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{
		Name: "gradtui", Version: r.Version, SemanticVersion: semanticVersion(r.Version),
		InformationURI: homepage, Rules: []sarifRule{},
	}
	indices := map[string]int{}
	for i, rule := range r.Rules {
		indices[rule.Code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	invocation := sarifInvocation{Successful: r.Unchecked() == "" && r.Script == "", ExitCode: r.ExitCode}
	for _, note := range r.notes() {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"note", sarifText{Text: console.OneLine(note)}})
	}
	run.Invocations = []sarifInvocation{invocation}
	for _, f := range r.Findings {
		result := r.sarifResult(f)
		if i, ok := indices[f.Code]; ok {
			result.RuleIndex = &i
		}
		run.Results = append(run.Results, result)
	}
	return run
}

const homepage = "https://github.com/gradtui/gradtui"

var semantic = regexp.MustCompile(`^v(\d+\.\d+\.\d+([-+].*)?)$`)

// semanticVersion is the version without its v; "" for a build that has none.
func semanticVersion(version string) string {
	if m := semantic.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return ""
}

// pascalCase is the code of a rule as SARIF wants names: InplaceSavedTensor.
func pascalCase(code string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(code, "-") {
		b.WriteString(strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):])
	}
	return b.String()
}

func sarifRuleOf(rule inspect.Rule) sarifRule {
	s := sarifRule{
		ID: rule.Code, Name: pascalCase(rule.Code), HelpURI: homepage + "/blob/main/docs/use/findings.md#" + rule.Code,
		ShortDescription: sarifText{Text: rule.Title}, FullDescription: sarifText{Text: rule.Title},
	}
	s.Properties.Tags = []string{"autograd", "pytorch"}
	if rule.Doc != "" {
		s.Help = &sarifText{Text: rule.Doc, Markdown: rule.Doc}
	}
	s.Configuration.Level = sarifLevels[rule.Severity]
	return s
}

func (r *Report) sarifResult(f inspect.Finding) sarifResult {
	text := console.OneLine(r.message(f))
	if f.Help != "" {
		text += "\n" + console.OneLine(f.Help)
	}
	s := sarifResult{RuleID: f.Code, Level: sarifLevels[f.Severity], Message: sarifText{Text: text}, Count: f.Count}
	if f.Primary.Known() {
		s.Locations = []sarifLocation{r.sarifLocation(f.Primary, 0)}
		// The text of the line stays the same when lines are added above it.
		line, _ := r.line(f.Primary.File, f.Primary.Line)
		file := r.file(f.Primary.File)
		if path.IsAbs(file) { // it differs between machines
			file = path.Base(file)
		}
		s.Prints = map[string]string{"gradtui/v2": f.Code + ":" + file + ":" + console.OneLine(line)}
	}
	for i, related := range f.Related {
		s.Related = append(s.Related, r.sarifLocation(related, i+1))
	}
	if f.Fix != nil {
		s.Fixes = []sarifFix{r.sarifFix(f.Fix)}
	}
	if len(f.Tensors) > 0 {
		s.Properties = &sarifProperties{f.Tensors}
	}
	return s
}

// sarifFix has the edits of a fix, of each file together.
func (r *Report) sarifFix(fix *inspect.Fix) sarifFix {
	s := sarifFix{Description: sarifText{Text: console.OneLine(fix.Title)}}
	for _, one := range fix.Edits {
		e := r.edit(one)
		if n := len(s.Changes); n == 0 || s.Changes[n-1].Artifact.URI != fileURI(e.File) {
			s.Changes = append(s.Changes, sarifChange{Artifact: sarifArtifact{fileURI(e.File)}})
		}
		replaced := sarifReplacement{Deleted: sarifRegion{StartLine: e.Line, StartColumn: e.Col, EndLine: e.EndLine, EndColumn: e.EndCol}}
		if e.Text != "" {
			replaced.Inserted = &sarifText{Text: e.Text}
		}
		change := &s.Changes[len(s.Changes)-1]
		change.Replacements = append(change.Replacements, replaced)
	}
	return s
}

func (r *Report) sarifLocation(span inspect.Span, id int) sarifLocation {
	l := r.locate(span)
	s := sarifLocation{ID: id}
	s.Physical.Artifact.URI = fileURI(l.File)
	s.Physical.Region = sarifRegion{StartLine: l.Line, StartColumn: l.Col, EndLine: l.EndLine, EndColumn: l.EndCol}
	if text, ok := r.line(span.File, span.Line); ok && l.EndLine <= l.Line {
		s.Physical.Region.Snippet = &sarifText{Text: strings.ToValidUTF8(text, "\ufffd")}
	}
	if l.Function != "" {
		s.Logical = []sarifLogical{{l.Function, "function"}}
	}
	if l.Label != "" {
		s.Message = &sarifText{Text: console.OneLine(l.Label)}
	}
	return s
}

// fileURI is a relative reference for a file of the project and a URI for others.
func fileURI(name string) string {
	u := url.URL{Path: path.Clean(name)}
	if path.IsAbs(name) {
		u.Scheme = "file"
		return u.String()
	}
	return strings.ReplaceAll(u.EscapedPath(), ":", "%3A") // what is before a colon would be a scheme
}
