package autograd

import (
	"github.com/gradtui/gradtui/internal/testing/require"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordedCasesHoldInLivePyTorch runs every recorded case in an installed
// PyTorch, so that the recordings cannot diverge from PyTorch. It uses the
// Python named by GRADTUI_PYTHON_1_13, or else the first one that has PyTorch.
// Expected differences between that release and 2.6 are in
// testdata/ops/diff-<release>.jsonl; any other difference fails.
//
// Without PyTorch the test is skipped, unless GRADTUI_REQUIRE lists torch.
func TestRecordedCasesHoldInLivePyTorch(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all recorded cases in PyTorch, which takes about 20 seconds")
	}
	t.Parallel()
	python, release := livePyTorch(t)
	check := exec.CommandContext(t.Context(), python, "check.py")
	check.Dir = filepath.Join("..", "tools", "record", "operators")
	check.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	var complaints strings.Builder
	check.Stderr = &complaints
	out, err := check.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	summary := lines[len(lines)-1]
	if !strings.HasSuffix(summary, " differ") {
		t.Fatalf("check.py did not finish in PyTorch %s (%v):\n%s", release, err, complaints.String())
	}
	for _, line := range lines[:len(lines)-1] {
		t.Errorf("PyTorch %s: %s", release, line)
	}
	if !strings.HasSuffix(summary, ", 0 differ") {
		t.Errorf("PyTorch %s: %s; testdata/ops/README.md says how to record again", release, summary)
	}
}

// livePyTorch returns a Python with a recorded release of PyTorch.
func livePyTorch(t *testing.T) (python, release string) {
	t.Helper()
	candidates := []string{"python3", "/usr/bin/python3"}
	if chosen := os.Getenv("GRADTUI_PYTHON_1_13"); chosen != "" {
		candidates = []string{chosen}
	}
	for _, python := range candidates {
		out, err := exec.CommandContext(t.Context(), python, "-W", "ignore", "-c", "import torch; print(torch.__version__)").Output()
		parts := strings.SplitN(strings.TrimSpace(string(out)), ".", 3)
		if err != nil || len(parts) < 2 {
			continue
		}
		release := parts[0] + "." + parts[1]
		if _, err := os.Stat(filepath.Join("testdata", "ops", "diff-"+release+".jsonl")); err != nil && release != "2.6" {
			require.Missing(t, "torch", "PyTorch "+release+" of "+python+" was not recorded")
		}
		return python, release
	}
	require.Missing(t, "torch", "no PyTorch: none of "+strings.Join(candidates, ", ")+" can import torch (tools/pytorch/install installs it)")
	return "", ""
}
