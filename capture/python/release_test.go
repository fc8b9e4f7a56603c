package python_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"github.com/gradtui/gradtui/internal/testing/require"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A release of PyTorch that may be on this machine.
type release struct {
	version  string
	required string // what GRADTUI_REQUIRE calls it
	command  []string
	// known is the file with what it does differently from 2.6, if it does, and
	// allowed how many more programs may differ.
	known   string
	allowed int

	missing func() string // why it cannot be used; "" if it can
	copies  func() (*copies, error)
}

// oldest is the release that still makes other nodes in places.
const oldest = "1.13"

// releases are those that are compared with what is recorded, first the one that was.
var releases = sync.OnceValue(func() []*release {
	older := "/usr/bin/python3"
	if chosen := os.Getenv("GRADTUI_PYTHON_1_13"); chosen != "" {
		older = chosen
	}
	all := []*release{
		{version: "2.6", required: "torch-2.6", command: []string{filepath.Join("..", "..", "tools", "pytorch", "python-torch-2.6")}, allowed: 3},
		{version: oldest, required: "torch", command: []string{older}, known: "differences-1.13.json", allowed: 20},
	}
	for _, r := range all {
		r.prepare()
	}
	return all
})

// recordable are the releases that programs are recorded on: these, and the one that the
// environment names, if it does.
var recordable = sync.OnceValue(func() []*release {
	python := os.Getenv("GRADTUI_PYTHON_CURRENT")
	if python == "" {
		return releases()
	}
	out, err := exec.Command(python, "-W", "ignore", "-c", "import torch; print(*torch.__version__.split('.')[:2], sep='.')").Output()
	version := strings.TrimSpace(string(out))
	if err != nil {
		version = fmt.Sprintf("of %s: %v", python, err)
	}
	current := &release{version: version, required: "torch-current", command: []string{python}}
	current.prepare()
	return append(slices.Clone(releases()), current)
})

// prepare lets each of what takes long be done once, when it is needed first.
func (r *release) prepare() {
	r.missing = sync.OnceValue(func() string {
		out, err := r.run("-W", "ignore", "-c", "import torch; print(torch.__version__)").Output()
		if version := strings.TrimSpace(string(out)); err != nil || !strings.HasPrefix(version, r.version+".") {
			return "no PyTorch " + r.version + ": " + r.command[0] + " has none (tools/pytorch/install " + r.version + " installs it)"
		}
		return ""
	})
	r.copies = sync.OnceValues(r.import_)
}

// run is a process of its Python, in which programs give the same numbers each time.
func (r *release) run(args ...string) *exec.Cmd {
	cmd := exec.Command(r.command[0], slices.Concat(r.command[1:], args)...)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "ATEN_CPU_CAPABILITY=avx2", "ONEDNN_MAX_CPU_ISA=AVX2", "OMP_NUM_THREADS=1",
		"PYTHONDONTWRITEBYTECODE=1", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1") // large pages are copied in half the time
	return cmd
}

// need skips the test if this release is not there.
func (r *release) need(t *testing.T) {
	t.Helper()
	if why := r.missing(); why != "" {
		require.Missing(t, r.required, why)
	}
}

// eachRelease runs a test with each release that programs are recorded on.
func eachRelease(t *testing.T, test func(t *testing.T, r *release)) {
	t.Helper()
	if testing.Short() {
		t.Skip("importing PyTorch takes its time")
	}
	for _, r := range recordable() {
		t.Run(r.version, func(t *testing.T) {
			r.need(t)
			test(t, r)
		})
	}
}

// A comparison is what unchanged.py says of a program.
type comparison struct {
	Program string
	Records int
	Kept    string                       // the file with what was recorded
	Differs map[string]map[string]string // way to record it, what, difference
	Skipped string
}

// copies is a process that has imported PyTorch, and runs programs in copies of itself. It
// ends with the tests.
type copies struct {
	mu         sync.Mutex
	cmd        *exec.Cmd
	in         io.Writer
	out        *bufio.Reader
	complaints strings.Builder
}

func (r *release) import_() (*copies, error) {
	c := &copies{cmd: r.run("-W", "ignore::DeprecationWarning:__main__", filepath.Join(corpusTools, "unchanged.py"),
		"--jobs", strconv.Itoa(min(runtime.NumCPU(), 8)), "--ways", "fast,closely")}
	c.cmd.Stderr = &c.complaints
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewReader(out)
	return c, c.cmd.Start()
}

// compared runs programs in this release, with and without recording.
func (r *release) compared(t *testing.T, files []string) []comparison {
	t.Helper()
	c, err := r.copies()
	if err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	request, err := json.Marshal(slices.Insert(slices.Clone(files), 0, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(c.in, "%s\n", request)
	var found []comparison
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("unchanged.py: %v, %v\n%s", err, c.cmd.Wait(), &c.complaints)
		}
		if len(line) == 1 {
			break
		}
		var result comparison
		if err := json.Unmarshal(line, &result); err != nil {
			t.Fatalf("unchanged.py printed %q: %v", line, err)
		}
		found = append(found, result)
	}
	if len(found) != len(files) {
		t.Errorf("%d of %d programs were compared", len(found), len(files))
	}
	recorded := 0
	for _, c := range found {
		if c.Records > 0 {
			recorded++
		}
	}
	if recorded < len(found)*9/10 {
		t.Errorf("only %d of %d programs were recorded", recorded, len(found))
	}
	slices.SortFunc(found, func(a, b comparison) int { return strings.Compare(a.Program, b.Program) })
	return found
}
