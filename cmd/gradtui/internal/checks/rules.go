package checks

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/console"
)

// Explain writes the documentation of some rules, or a list of all.
func Explain(w io.Writer, codes []string, color bool) error {
	if len(codes) == 0 {
		listRules(w, console.Paint(color))
		return nil
	}
	if err := policy.CheckCodes(codes, rules.All()); err != nil {
		return err
	}
	for i, code := range codes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		rule, _ := rules.Find(code)
		broken, _ := rules.InvariantOf(code)
		text := rule.Doc + "\n## In a healthy run\n\n" + broken.Holds + " Exceptions: " + broken.Unless + ".\n"
		console.WriteMarkdown(w, text, cli.TextColumns, console.Paint(color))
	}
	return nil
}

func listRules(w io.Writer, paint console.Paint) {
	const indent = "    "
	for _, r := range rules.All() {
		fmt.Fprintf(w, "%s (%s)\n", paint.In(console.Bold, r.Code), r.Severity)
		for _, line := range console.Wrap(r.Title, cli.TextColumns-len(indent)) {
			fmt.Fprintln(w, indent+line)
		}
	}
	fmt.Fprintf(w, "\n%d rules; gradtui check --explain CODE explains one\n", len(rules.All()))
}
