package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/internal/generated"
)

const document = "../../../../docs/debugger.md"

// table is a table of a document.
func table(head string, rows [][]string) string {
	var b strings.Builder
	columns := strings.Count(head, "|") + 1
	fmt.Fprintf(&b, "| %s |\n|%s\n", head, strings.Repeat(" --- |", columns))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.ReplaceAll(cell, "|", "\\|")
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// code is text as the documents show what is typed.
func code(s string) string { return "`" + s + "`" }

func TestTheDocumentTellsOfAllKeysCommandsAndMarks(t *testing.T) {
	keys := map[string][][]string{}
	for _, b := range bindings() {
		if b.help != "" {
			keys[b.group] = append(keys[b.group], []string{code(strings.Join(b.keys, "` `")), b.help})
		}
	}
	var keyTables strings.Builder
	for _, group := range []string{stepping, moving, looking, telling} {
		fmt.Fprintf(&keyTables, "**%s**\n\n%s\n", group, table("key | what it does", keys[group]))
	}
	var typed, words, marks, times [][]string
	for _, c := range commands {
		typed = append(typed, []string{code(":" + strings.TrimSpace(c.name+" "+c.args)), c.help})
	}
	for _, w := range linearWords {
		words = append(words, []string{code(strings.TrimSpace(w.name + " " + w.args)), w.help})
	}
	for _, s := range statusMarks {
		marks = append(marks, []string{s.mark, s.means})
	}
	for _, s := range timeMarks {
		times = append(times, []string{s.mark, s.means})
	}
	generated.Check(t, document, map[string]string{
		"keys": keyTables.String(), "commands": table("command | what it does", typed),
		"words": table("line | what it does", words), "marks": table("mark | of a node", marks),
		"times":       table("mark | of the timeline and of memory", times),
		"breakpoints": code(control.BreakpointSyntax),
	}, *update)
}

func TestTheDocumentHasAChapterAboutEachPane(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range paneNames {
		if heading := fmt.Sprintf("\n### %d %s\n", i+1, name); !strings.Contains(string(text), heading) {
			t.Errorf("no chapter %q", strings.TrimSpace(heading))
		}
	}
}

// The session in the document is what Linear prints.
func TestTheSessionInTheDocumentIsReal(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, session, _ := strings.Cut(string(text), "$ gradtui open --plain-ui run.tape\n")
	session, _, ok := strings.Cut(session, "```")
	if !ok {
		t.Fatal("there is no session")
	}
	var typed []string
	printed := ""
	for line := range strings.Lines(session) {
		if in, ok := strings.CutPrefix(line, "> "); ok {
			typed = append(typed, strings.TrimSpace(in))
		} else {
			printed += line
		}
	}
	if got := talk(t, about(recorded(t, "inplace")), typed...); !strings.HasSuffix(got, printed) {
		t.Errorf("it prints\n%s", got)
	}
}
