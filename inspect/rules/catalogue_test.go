package rules_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/inspect/rules"
)

var update = flag.Bool("update", false, "write docs/use/findings.md")

const catalogueIntroduction = `# Findings

What [gradtui check](check.md) can find, generated from the documentation of the rules
(` + "`go test ./inspect/rules -run Catalogue -update`" + `). ` + "`gradtui check --explain CODE`" + ` shows the same in
the terminal. An *error* makes the program fail, or is about to; with a *warning* the program
runs, but does not do what it looks like; a *hint* may be intended and is shown only with ` + "`--hints`" + `.
A finding may have a lower severity than its rule where the evidence is weaker.

Each finding holds what its rule has weighed: facts that speak for the cause or against it, and other causes of the
same symptom with the fact that rules them out. ` + "`gradtui check --evidence`" + ` prints them, ` + "`--format json`" + ` and
` + "`gradtui.check()`" + ` always have them, and the debugger shows them below the finding that is open.

`

const invariantsIntroduction = `
## What holds in a healthy run

Each finding is a break of one of these invariants, and names its cause. Exceptions look like a break and are meant:
the rules are silent about them, or give a hint. A break whose cause is not known is reported as what it is, with the
nearest lines, if it shows without one. The last column names papers that state the invariant, too.

`

const auditIntroduction = `
## What an audit finds

These are measured, without a known cause, when [gradtui audit](audit.md), ` + "`check --audit`" + ` or ` + "`gradtui.audit()`" + ` asks for it.

`

// Each rule looks for a cause of one break.
func TestEachRuleBelongsToOneInvariant(t *testing.T) {
	of, bare := map[string]int{}, map[string]bool{}
	for _, v := range rules.Invariants() {
		for _, code := range v.Codes {
			if _, known := rules.Find(code); !known {
				t.Errorf("%q: no rule is called %s", v.Holds, code)
			}
			of[code]++
		}
		if _, known := rules.Find(v.Bare); v.Bare != "" && !known {
			t.Errorf("%q: no rule is called %s", v.Holds, v.Bare)
		}
		bare[v.Bare] = true
	}
	for _, r := range rules.All() {
		if of[r.Code] != 1 && (of[r.Code] != 0 || !bare[r.Code]) {
			t.Errorf("%s is in %d invariants", r.Code, of[r.Code])
		}
	}
}

// TestTheCatalogueOfFindingsIsUpToDate compares docs/use/findings.md with the rules.
func TestTheCatalogueOfFindingsIsUpToDate(t *testing.T) {
	const path = "../../docs/use/findings.md"
	want := catalogue()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("-update rewrites it\n%s", diff)
	}
}

// catalogue is a table of all rules and then their documentation.
func catalogue() string {
	var b strings.Builder
	b.WriteString(catalogueIntroduction)
	b.WriteString("| code | severity | what is found |\n| --- | --- | --- |\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.Code, r.Code, r.Severity, strings.ReplaceAll(r.Title, "|", `\|`))
	}
	b.WriteString(invariantsIntroduction)
	b.WriteString("| in a healthy run | exceptions | causes of a break | without a known cause | stated by |\n| --- | --- | --- | --- | --- |\n")
	for _, v := range rules.Invariants() {
		var causes []string
		for _, code := range v.Codes {
			causes = append(causes, fmt.Sprintf("[%s](#%s)", code, code))
		}
		bare := "not reported"
		if r, ok := rules.Find(v.Bare); ok {
			bare = fmt.Sprintf("[%s](#%s), %s", r.Code, r.Code, r.Severity)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", v.Holds, v.Unless, strings.Join(causes, ", "), bare, v.Also)
	}
	measured := (&audit.Measurement{}).Rules()
	b.WriteString(auditIntroduction + "| code | severity | what is found |\n| --- | --- | --- |\n")
	for _, r := range measured {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.Code, r.Code, r.Severity, r.Title)
	}
	for _, r := range slices.Concat(rules.All(), measured) {
		b.WriteString("\n" + deeper(r.Doc))
	}
	return b.String()
}

// deeper is Markdown with its headings one level down.
func deeper(doc string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if strings.HasPrefix(line, "#") && !code {
			b.WriteString("#")
		}
		b.WriteString(line)
	}
	return b.String()
}
