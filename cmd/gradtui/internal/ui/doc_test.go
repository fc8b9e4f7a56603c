package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/docparts"
	"github.com/gradtui/gradtui/query"
)

const document = "../../../../docs/use/debugger.md"

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

func TestTheDocumentListsAllPanesKeysCommandsAndMarks(t *testing.T) {
	keys := map[string][][]string{}
	for _, b := range bindings() {
		if b.help != "" {
			keys[b.group] = append(keys[b.group], []string{code(strings.Join(b.keys, "` `")), b.help})
		}
	}
	var keyTables strings.Builder
	for _, group := range []string{stepping, moving, looking, asking} {
		fmt.Fprintf(&keyTables, "**%s**\n\n%s\n", group, table("key | what it does", keys[group]))
	}
	var typed, marks, moments, times, panes [][]string
	for id := range paneCount {
		panes = append(panes, []string{code(id.key()), id.name(), paneKinds[id].help})
	}
	for _, c := range commands {
		typed = append(typed, []string{code(":" + strings.TrimSpace(c.name+" "+c.args)), c.help})
	}
	for _, s := range statusMarks {
		marks = append(marks, []string{s.mark, s.means})
	}
	for _, s := range momentMarks {
		moments = append(moments, []string{s.mark, s.means})
	}
	for _, s := range timeMarks {
		times = append(times, []string{s.mark, s.means})
	}
	docparts.Check(t, document, map[string]string{
		"keys": keyTables.String(), "commands": table("command | what it does", typed),
		"actions":     actionTable(),
		"marks":       table("mark | of a node", marks),
		"moments":     table("mark | with a pinned moment", moments),
		"times":       table("mark | of the timeline and of memory", times),
		"panes":       table("key | pane | what it shows", panes),
		"breakpoints": code(query.Syntax),
	}, *update)
}

// actionTable lists the names of actions.
func actionTable() string {
	var b strings.Builder
	b.WriteString("| action | keys |\n| --- | --- |\n")
	all := bindings()
	for i := range all {
		if name := all[i].action(); name != "" && all[i].do != nil {
			keys := strings.Join(all[i].keys, "` `")
			quoted := "`" + keys + "`"
			if keys == "`" {
				quoted = "`` ` ``"
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, quoted)
		}
	}
	return b.String()
}

func TestTheDocumentHasAChapterAboutEachPane(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range paneKinds {
		if heading := fmt.Sprintf("\n### %d %s\n", i+1, kind.name); !strings.Contains(string(text), heading) {
			t.Errorf("no chapter %q", strings.TrimSpace(heading))
		}
	}
}
