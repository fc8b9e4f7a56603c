package checks

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/console"
)

// Rules are all rules that a project can name, sorted by code: the rules that know causes, and what an audit finds.
func Rules() []inspect.Rule {
	list := slices.Concat(rules.All(), (&audit.Measurement{}).Rules())
	slices.SortFunc(list, func(a, b inspect.Rule) int { return cmp.Compare(a.Code, b.Code) })
	return list
}

// Explain writes the documentation of some rules, or a list of all.
func Explain(w io.Writer, codes []string, color bool) error {
	all := Rules()
	if len(codes) == 0 {
		listRules(w, all, console.Paint(color))
		return nil
	}
	if err := policy.CheckCodes(codes, all); err != nil {
		return err
	}
	for i, code := range codes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		text := all[slices.IndexFunc(all, func(r inspect.Rule) bool { return r.Code == code })].Doc
		if broken, ok := rules.InvariantOf(code); ok {
			text += "\n## In a healthy run\n\n" + broken.Holds + " Exceptions: " + broken.Unless + ".\n"
		}
		console.WriteMarkdown(w, text, cli.TextColumns, console.Paint(color))
	}
	return nil
}

func listRules(w io.Writer, all []inspect.Rule, paint console.Paint) {
	const indent = "    "
	for _, r := range all {
		fmt.Fprintf(w, "%s (%s)\n", paint.In(console.Bold, r.Code), r.Severity)
		for _, line := range console.Wrap(r.Title, cli.TextColumns-len(indent)) {
			fmt.Fprintln(w, indent+line)
		}
	}
	fmt.Fprintf(w, "\n%d rules; gradtui check --explain CODE explains one\n", len(all))
}
