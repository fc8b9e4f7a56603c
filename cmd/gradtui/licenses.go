package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/internal/licenses"
	"github.com/gradtui/gradtui/internal/suggest"
)

func licensesCommand(s cli.Streams) *cobra.Command {
	text := false
	c := &cobra.Command{
		Use:   "licenses [NAME...]",
		Short: "List the licences of everything in this program",
		Long: `licenses lists what this program was built from, with the licences: gradtui itself, Go,
the linked modules and what they include. With a NAME it prints the licence and the
notices of that part; --text prints all of them.`,
		Example: `  gradtui licenses
  gradtui licenses Graphviz
  gradtui licenses --text > THIRD-PARTY-LICENSES`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return namesOf(licenses.All(cli.Version())), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			parts, err := named(licenses.All(cli.Version()), args)
			if err != nil {
				return err
			}
			return cli.Buffered(s.Out, func(w io.Writer) error {
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

// named returns the parts with some names; all parts if there are no names.
func named(parts []licenses.Part, names []string) ([]licenses.Part, error) {
	if len(names) == 0 {
		return parts, nil
	}
	var list []licenses.Part
	for _, name := range names {
		i := slices.IndexFunc(parts, func(p licenses.Part) bool { return strings.EqualFold(p.Name, name) })
		if i < 0 {
			return nil, fmt.Errorf("%q is not part of this program%s; gradtui licenses lists the parts", name, suggest.Hint(name, namesOf(parts)))
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
	rule := strings.Repeat("-", cli.TextColumns)
	for i, p := range parts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n%s\n", rule, strings.TrimSpace(p.Name+" "+p.Version))
		for _, t := range p.Texts {
			fmt.Fprintf(w, "%s\n%s\n\n%s\n", rule, t.Name, strings.TrimRight(cli.Printable(strings.ReplaceAll(t.Content, "\r\n", "\n")), "\n"))
		}
	}
}
