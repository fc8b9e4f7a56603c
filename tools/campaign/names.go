//go:build unix

package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gradtui/gradtui/graph/tapefile"
)

// A payload means something to whoever shows it.
type payload struct{ name, text string }

var payloads = []payload{
	{"clipboard", "\x1b]52;c;cHduZWQ=\x07"},
	{"hyperlink", "\x1b]8;;http://example.invalid/\x1b\\x\x1b]8;;\x1b\\"},
	{"title", "\x1b]2;pwned\x07"},
	{"clear", "\x1b[H\x1b[2J"},
	{"reset", "\x1bc"},
	{"sixel", "\x1bPq#0;2;0;0;0~\x1b\\"},
	{"kitty", "\x1b_Ga=T,f=24,s=1,v=1;AAAA\x1b\\"},
	{"query", "\x1b[6n\x1b[c\x1b[>q"},
	{"mouse", "\x1b[?1003h\x1b[?1049h\x1b[?25l"},
	{"c1", "\u009b31m\u009d0;x\u009c\u0090q\u009c\u0085"},
	{"bell", "a\ab"},
	{"backspace", "safe\b\b\b\bevil"},
	{"return", "safe\revil"},
	{"null", "a\x00b"},
	{"delete", "a\x7fb"},
	{"bidi", "\u202egnp.exe\u202c\u2066x\u2069\u200e\u200f\u061c"},
	{"zero width", "a\u200b\u2060\ufeffb"},
	{"tags", "\U000e0041\U000e007f"},
	{"separators", "a\u2028b\u2029c"},
	{"line", "one\ntwo"},
	{"annotation", "x\n::error file=a.py,line=1::pwned\n::add-mask::x"},
	{"annotation alone", "::error::pwned%0A"},
	{"commands stop", "x\n::stop-commands::t\n##[group]x\n##vso[task.complete]x"},
	{"script", "</text></title><script>alert(1)</script><!--]]>&amp;\"'"},
	{"attribute", "\"/><image href=\"http://example.invalid/\"/><a xlink:href='javascript:alert(1)'>"},
	{"cdata", "]]></failure>"},
	{"dot", "\"]; evil [label=\"x\"]; { x } \\N\\l|<b>"},
	{"dot html", "<<b>x</b>>"},
	{"mermaid", "x\"] --> evil[\"y\"]\nclick x \"javascript:alert(1)\"\n%%{init: {}}%%"},
	{"json", "\"}],\"findings\":[\\u0000\\ud800"},
	{"markdown", "[x](javascript:alert(1)) `x` <img src=x onerror=alert(1)>"},
	{"path", "../../../../etc/hostname"},
	{"absolute", "/etc/hostname"},
	{"url", "file:///etc/hostname#x%00%0a"},
	{"format", "%s%n%[1]*d"},
	{"shell", "$(touch pwned)`touch pwned`;touch pwned"},
	{"long", strings.Repeat("L", 60000)},
	{"combining", "a" + strings.Repeat("\u0301", 60)},
	{"empty", ""},
	{"blanks", "   "},
}

// A reading is a command that shows a tape. TAPE stands for it, OTHER for the tape as it
// was.
type reading struct {
	args   []string
	input  string
	kind   string // what it prints: text, json, xml, github, dot, svg
	output string // the file that it writes instead
}

// asked are lines for the debugger that reads lines.
const asked = "g\nn\ns\np graph\np source\np inspector\np timeline\np findings\np output\np memory\nx\nm\nC\nhelp\nq\n"

var readings = []reading{
	{args: []string{"check", "TAPE", "--hints"}, kind: "text"},
	{args: []string{"check", "TAPE", "--hints", "--format", "json"}, kind: "json"},
	{args: []string{"check", "TAPE", "--hints", "--format", "sarif"}, kind: "json"},
	{args: []string{"check", "TAPE", "--hints", "--format", "junit"}, kind: "xml"},
	{args: []string{"check", "TAPE", "--hints", "--format", "github"}, kind: "github"},
	{args: []string{"stat", "TAPE"}, kind: "text"},
	{args: []string{"stat", "TAPE", "--format", "json"}, kind: "json"},
	{args: []string{"explain", "TAPE", "t3"}, kind: "text"},
	{args: []string{"explain", "TAPE", "t3", "--format", "json"}, kind: "json"},
	{args: []string{"diff", "TAPE", "OTHER"}, kind: "text"},
	{args: []string{"diff", "TAPE", "OTHER", "--format", "json"}, kind: "json"},
	{args: []string{"ranks", "TAPE", "OTHER"}, kind: "text"},
	{args: []string{"tape", "verify", "TAPE"}, kind: "text"},
	{args: []string{"tape", "text", "TAPE"}, kind: "text"},
	{args: []string{"export", "TAPE"}, kind: "text"},
	{args: []string{"export", "TAPE", "--format", "dot", "-o", "-"}, kind: "dot"},
	{args: []string{"export", "TAPE", "--format", "json", "-o", "-"}, kind: "json"},
	{args: []string{"export", "TAPE", "--format", "mermaid", "-o", "-"}, kind: "mermaid"},
	{args: []string{"export", "TAPE", "-o", "picture.svg"}, kind: "svg", output: "picture.svg"},
	{args: []string{"open", "--plain-ui", "TAPE"}, input: asked, kind: "text"},
}

// names puts each payload into each string of the tape of a program with a finding, and
// reads it with each command in each format.
func names(l *lab) {
	var text, path string
	keep := l.scratch + "/names"
	l.try("the tape", func(t *trial) {
		tape, ok := t.record("failing.py", failing)
		if !ok {
			return
		}
		var b strings.Builder
		read, _, err := tapefile.Open(tape, tapefile.Options{})
		if err == nil {
			err = tapefile.WriteText(&b, read)
		}
		if err == nil {
			err = errors.Join(os.MkdirAll(keep, 0o755), os.WriteFile(keep+"/other.tape", []byte(b.String()), 0o644))
		}
		if err != nil {
			t.fail("%v", err)
			return
		}
		text, path = b.String(), keep+"/other.tape"
	})
	if text == "" {
		return
	}
	for _, p := range payloads {
		for _, behind := range []bool{false, true} {
			spoiled := spoil(text, p.text, behind)
			for _, r := range readings {
				l.try(p.name+", "+strings.Join(r.args, " "), func(t *trial) { t.read(r, t.write("spoiled.tape", spoiled), path) })
			}
		}
	}
}

// literal is a string in the text form of a tape.
var literal = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// spoil puts a text into every string of a tape, or behind it, which leaves the names that
// rules know.
func spoil(text, with string, behind bool) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if i == 0 && strings.HasPrefix(line, "# gradtui tape") {
			continue
		}
		lines[i] = literal.ReplaceAllStringFunc(line, func(old string) string {
			was, err := strconv.Unquote(old)
			if err != nil || !behind {
				was = ""
			}
			return strconv.Quote(was + with)
		})
	}
	return strings.Join(lines, "")
}

// hidden are characters that no output has: controls of terminals, characters that turn
// the direction of text or cannot be seen.
var hidden = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")

// order is a line that a CI service takes for a command.
var order = regexp.MustCompile(`(?m)^\s*(::[^:]|##\[|##vso\[)`)

// lawful are the lines of the format github.
var lawful = regexp.MustCompile(`^::(error|warning|notice) (file|title)=`)

func (t *trial) read(r reading, tape, other string) {
	args := make([]string, len(r.args))
	for i, a := range r.args {
		switch a {
		case "TAPE":
			a = tape
		case "OTHER":
			a = other
		}
		args[i] = a
	}
	got := t.command(r.input, t.bin, args...)
	if got.code > 2 {
		t.fail("exit code %d: %.200s", got.code, got.stderr)
	}
	out := got.stdout
	if r.output != "" {
		data, _ := os.ReadFile(filepath.Join(t.dir, r.output))
		out = string(data)
	}
	for _, text := range []string{out, got.stderr} {
		if !utf8.ValidString(text) {
			t.fail("output that is no UTF-8")
		}
		if c := hidden.FindString(text); c != "" {
			t.fail("%q reaches the output", c)
		}
	}
	if _, err := os.Stat(filepath.Join(t.dir, "pwned")); err == nil {
		t.fail("a name was run")
	}
	t.expectClean()
	if got.code == 2 && strings.TrimSpace(out) == "" {
		return // a tape without sense was refused, in words
	}
	var err error
	switch r.kind {
	case "json":
		if !json.Valid([]byte(out)) {
			err = errors.New("no JSON")
		}
	case "xml", "svg":
		err = wellFormed(out)
	case "github":
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "::") && !lawful.MatchString(line) {
				t.fail("a command for CI: %.100q", line)
			}
		}
	}
	if err != nil {
		t.fail("%s: %v", r.kind, err)
	}
	if order.MatchString(got.stderr) || r.kind == "text" && order.MatchString(out) {
		t.fail("a line that CI takes for a command")
	}
}

// active are the elements of a picture that do something or fetch something.
var active = map[string]bool{"script": true, "image": true, "foreignObject": true, "iframe": true, "a": true, "use": true, "animate": true, "set": true}

// wellFormed reads XML and looks for what acts.
func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if active[start.Name.Local] {
			return errors.New("an element " + start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || strings.Contains(a.Value, "javascript:") && a.Name.Local == "href" {
				return errors.New("an attribute " + a.Name.Local)
			}
		}
	}
}
