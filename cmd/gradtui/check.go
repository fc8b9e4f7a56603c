package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
)

func checkCommand(s streams) *cobra.Command {
	var program programFlags
	format := "text"
	c := &cobra.Command{
		Use:     "check PROGRAM|TAPE [ARGS...]",
		Short:   "Say what is wrong with a program, and at which line",
		Example: "  gradtui check train.py\n  gradtui check run.tape --format json",
		Args:    targetArgs("a program or a tape"),
		RunE: func(cmd *cobra.Command, args []string) error {
			tape, _, err := program.load(cmd.Context(), s, io.Discard, args[0], args[1:])
			if err != nil {
				return err
			}
			report := inspect.Check(tape, rules.All(), inspect.Options{ReadFile: os.ReadFile})
			return buffered(s.out, func(w io.Writer) error { return writeReport(w, report, format) })
		},
	}
	program.add(c)
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}

func writeReport(w io.Writer, r *inspect.Report, format string) error {
	if format == "json" {
		return json.NewEncoder(w).Encode(jsonReport(r))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s[%s]: %s\n  --> %s: %s\n", f.Severity, f.Code, printable(f.Message), printable(f.Primary.String()), printable(f.Primary.Label))
		for _, s := range f.Related {
			fmt.Fprintf(w, "      %s: %s\n", printable(s.String()), printable(s.Label))
		}
		fmt.Fprintf(w, "help: %s\n\n", printable(f.Help))
	}
	return nil
}

func jsonReport(r *inspect.Report) any {
	type span struct {
		File string `json:"file"`
		Line int    `json:"line"`
	}
	type finding struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		Primary  span   `json:"primary"`
		Related  []span `json:"related"`
	}
	findings := []finding{}
	for _, f := range r.Findings {
		j := finding{Code: f.Code, Severity: f.Severity.String(), Message: f.Message, Primary: span{f.Primary.File, f.Primary.Line}, Related: []span{}}
		for _, s := range f.Related {
			j.Related = append(j.Related, span{s.File, s.Line})
		}
		findings = append(findings, j)
	}
	return map[string]any{"version": 1, "findings": findings}
}
