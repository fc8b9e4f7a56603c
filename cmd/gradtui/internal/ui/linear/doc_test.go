package linear

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/docparts"
)

const document = "../../../../../docs/use/debugger.md"

func TestTheDocumentListsAllWords(t *testing.T) {
	var b strings.Builder
	b.WriteString("| line | what it does |\n| --- | --- |\n")
	for _, w := range words {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimSpace(w.name+" "+w.args), w.help)
	}
	docparts.Check(t, document, map[string]string{"words": b.String()}, *update)
}
