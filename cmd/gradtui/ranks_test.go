//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// pythonWithTorch is a Python that has PyTorch. Without one the test is skipped.
func pythonWithTorch(t *testing.T) string {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)").Run(); err != nil {
		require.Missing(t, "torch", "there is no PyTorch in "+python)
	}
	return python
}

// onTorch runs gradtui with a Python that has PyTorch.
func onTorch(t *testing.T, dir string, args ...string) (stdout string, code int) {
	t.Helper()
	python := pythonWithTorch(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1", "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Logf("gradtui %s: %v\n%s", strings.Join(args, " "), err, complaints.String())
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// rankPrograms is the folder with programs of several ranks.
func rankPrograms(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../capture/python/testdata/ranks")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTheRanksOfAProgramAreRecordedCheckedAndCompared(t *testing.T) {
	programs, dir := rankPrograms(t), t.TempDir()
	_, code := onTorch(t, dir, "record", "--engine", "torch", "--launcher", filepath.Join(programs, "launch.py"), "-o", "run.tape", "--", filepath.Join(programs, "train.py"))
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if diff := cmp.Diff([]string{"run.rank0.tape", "run.rank1.tape"}, files); diff != "" {
		t.Fatal(diff)
	}
	for rank, file := range files {
		tape, found, err := tapefile.Open(filepath.Join(dir, file), tapefile.Options{})
		if err != nil || !found.Closed || tape.Info().Rank != rank || tape.Info().WorldSize != 2 {
			t.Errorf("%s: %+v, %v", file, tape.Info(), err)
		}
	}
	if _, code := onTorch(t, dir, "record", "--engine", "torch", "--launcher", filepath.Join(programs, "launch.py"), "-o", "run.tape"); code != cli.ExitFailed {
		t.Errorf("tapes were overwritten: exit code %d", code)
	}
	out, code := onTorch(t, dir, "check", "--format", "json", files[0], files[1])
	if code != cli.ExitFindings {
		t.Errorf("exit code %d", code)
	}
	var doc struct {
		Findings []struct {
			Code    string
			Ranks   []int
			Tensors []string
		}
		Program struct {
			WorldSize int `json:"world_size"`
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	unused := false
	for _, f := range doc.Findings {
		if f.Code == "unused-parameter" && slices.ContainsFunc(f.Tensors, func(name string) bool { return strings.HasPrefix(strings.Trim(name, "`"), "by_hand.extra") }) {
			unused = true
			if diff := cmp.Diff([]int{0}, f.Ranks); diff != "" {
				t.Error(diff)
			}
		}
	}
	if !unused || doc.Program.WorldSize != 2 {
		t.Errorf("the check says\n%s", out)
	}
	out, code = onTorch(t, dir, "ranks", files[1], files[0])
	if code != cli.ExitFindings {
		t.Errorf("exit code %d", code)
	}
	_, got, _ := strings.Cut(out, "\n\n")
	const want = `gradients             steps  on ranks  not on  reduced on
by_hand.extra.bias        0         1       0
by_hand.extra.weight      0         1       0
reduced.extra.weight    1-2         1                   0
reduced.extra.bias      1-2         1                   0

graph: after 1 operation that is the same
rank 0                                        sum  train.py:23 Gated.forward
rank 1                                     linear  train.py:22 Gated.forward  extra
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A rank that records itself says which one it is, also if its environment does not.
func TestARankThatRecordsItselfSaysItsNumber(t *testing.T) {
	dir := t.TempDir()
	withPackage(t, dir, `
import torch, torch.distributed as dist, gradtui
dist.init_process_group("gloo", init_method="file://" + __import__("os").path.abspath("meet"), rank=0, world_size=1)
with gradtui.record("run.tape"):
    torch.ones(2, requires_grad=True).sum().backward()
`)
	tape, _, err := tapefile.Open(filepath.Join(dir, "run.tape"), tapefile.Options{})
	if err != nil || tape.Info().Rank != 0 || tape.Info().WorldSize != 1 {
		t.Errorf("%+v, %v", tape.Info(), err)
	}
}

func TestACheckOfRanksEndsWithTheExceptionOfOne(t *testing.T) {
	programs := rankPrograms(t)
	out, code := onTorch(t, programs, "check", "--engine", "torch", "--launcher", "launch.py", "--format", "json", "--", "end.py", "raise")
	var doc struct {
		Program struct {
			ExitCode int `json:"exit_code"`
			Failure  report.Failure
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if code != cli.ExitFailed || doc.Program.ExitCode != 1 || doc.Program.Failure.Type != "ValueError" {
		t.Errorf("exit code %d, %s", code, out)
	}
}
