package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/internal/licenses"
	"github.com/gradtui/gradtui/internal/near"
)

func licensesCommand(s streams) *cobra.Command {
	text := false
	c := &cobra.Command{
		Use:   "licenses [NAME...]",
		Short: "List the licences of all that is in this command",
		Long: `licenses lists what this command was built from: gradtui itself, Go, the modules that
are linked in and what these bring along, each with its licences. With the NAME of one
it prints the licence and the notices that go with it; --text prints all of them.`,
		Example: `  gradtui licenses
  gradtui licenses Graphviz
  gradtui licenses --text > THIRD-PARTY-LICENSES`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return namesOf(licenses.All(version())), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			parts, err := named(licenses.All(version()), args)
			if err != nil {
				return err
			}
			return buffered(s.out, func(w io.Writer) error {
				if text || len(args) > 0 {
					writeLicenses(w, parts)
				} else {
					listLicenses(w, parts)
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&text, "text", false, "print the texts instead of a list")
	return c
}

// named are the parts with some names, all of them for none.
func named(parts []licenses.Part, names []string) ([]licenses.Part, error) {
	if len(names) == 0 {
		return parts, nil
	}
	var list []licenses.Part
	for _, name := range names {
		i := slices.IndexFunc(parts, func(p licenses.Part) bool { return strings.EqualFold(p.Name, name) })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q in this command%s; gradtui licenses lists what there is", name, near.Hint(name, namesOf(parts)))
		}
		list = append(list, parts[i])
	}
	return list, nil
}

func namesOf(parts []licenses.Part) (names []string) {
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names
}

func listLicenses(w io.Writer, parts []licenses.Part) {
	for _, p := range parts {
		line := fmt.Sprintf("%-38s  %-30s  %s", p.Name, strings.Join(p.Licenses, ", "), p.Version)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w, "\ngradtui licenses NAME prints the text of one, --text all")
}

// writeLicenses prints what has to go with each part.
func writeLicenses(w io.Writer, parts []licenses.Part) {
	rule := strings.Repeat("-", textColumns)
	for i, p := range parts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n%s\n", rule, strings.TrimSpace(p.Name+" "+p.Version))
		for _, t := range p.Texts {
			fmt.Fprintf(w, "%s\n%s\n\n%s\n", rule, t.Name, strings.TrimRight(printable(strings.ReplaceAll(t.Content, "\r\n", "\n")), "\n"))
		}
	}
}
