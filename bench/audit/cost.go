package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/inspect"
)

// cost measures the audit of one step along one direction beside the step, and beside torch.autograd.gradcheck of
// the same model in its fast mode.
func (c *command) cost(w io.Writer, python string, models []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer t.Flush()
	fmt.Fprintln(t, "model\tstep\taudit\taudit/step\tgradcheck/step\taudit/gradcheck\t")
	for _, model := range models {
		text, err := exec.Command(python, "-W", "ignore", "bench/audit/cost.py", model, "time").Output()
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		var seconds [2]float64 // of a step, and of gradcheck
		if err := json.Unmarshal(text, &seconds); err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		tape, err := c.record("bench/audit/cost.py", "--", model)
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		begun := time.Now()
		if _, err := audit.Run(inspect.ReadHistory(tape, tape.Len(), inspect.Options{}), audit.Options{Step: 1, Directions: 1}); err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		took := time.Since(begun).Seconds()
		fmt.Fprintf(t, "%s\t%.3g s\t%.3g s\t%.3g\t%.3g\t%.3g\t\n", model, seconds[0], took, took/seconds[0], seconds[1]/seconds[0], took/seconds[1])
	}
	return nil
}
