package query_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/docparts"
	"github.com/gradtui/gradtui/query"
)

var update = flag.Bool("update", false, "rewrite the document")

func TestTheDocumentListsAllWords(t *testing.T) {
	row := func(b *strings.Builder, cells ...string) {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", "\\|")
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	var words, shorts strings.Builder
	group := ""
	for _, w := range query.Words() {
		if w.Group != group {
			group = w.Group
			fmt.Fprintf(&words, "\n**%s**\n\n| word | what it means | example |\n| --- | --- | --- |\n", group)
		}
		row(&words, code(w.Form), w.Means, code(w.Example))
	}
	shorts.WriteString("| form | hits where | example |\n| --- | --- | --- |\n")
	for _, w := range query.Shorts() {
		row(&shorts, code(w.Form), w.Means, code(w.Example))
	}
	docparts.Check(t, "../docs/use/queries.md", map[string]string{"words": strings.TrimLeft(words.String(), "\n"), "shorts": shorts.String()}, *update)
}
