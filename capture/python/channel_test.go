//go:build unix

package python

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/graph"
)

// TestWithoutAPlaceForTheChannelThereIsASentence was a nil pointer.
func TestWithoutAPlaceForTheChannelThereIsASentence(t *testing.T) {
	for _, e := range engines {
		t.Run(string(e.name), func(t *testing.T) {
			shell, err := exec.LookPath("sh")
			if err != nil {
				t.Skip("there is no shell to set a limit in:", err)
			}
			cmd := exec.Command(shell, "-c", `ulimit -f 1; exec "$0" -test.run TestMakingAChannelUnderALimit -test.v`, os.Args[0])
			cmd.Env = append(os.Environ(), "GRADTUI_TEST_CHANNEL="+string(e.name))
			out, _ := cmd.CombinedOutput()
			for _, want := range []string{"file too large", "set TMPDIR", "--- PASS"} {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not in\n%s", want, out)
				}
			}
		})
	}
}

// TestMakingAChannelUnderALimit runs in a process of its own, where files hold 512 bytes.
func TestMakingAChannelUnderALimit(t *testing.T) {
	which := os.Getenv("GRADTUI_TEST_CHANNEL")
	if which == "" {
		t.Skip("it is run by TestWithoutAPlaceForTheChannelThereIsASentence")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	_, err := Engine(which).entry().serve(engine.Setup{Tape: graph.NewTape(graph.Limits{})})
	if err == nil {
		t.Fatal("there is a channel")
	}
	t.Log(err)
	if left := children(t, dir); left != "" {
		t.Errorf("%s is left", left)
	}
}

func TestAChannelIsMadeWhereTMPDIRIsTooLongForASocket(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("d", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	for _, e := range engines {
		server, err := e.serve(engine.Setup{Tape: graph.NewTape(graph.Limits{})})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		_, dir, _ := strings.Cut(server.Environment()[0], "=")
		conn, err := net.Dial("unix", filepath.Join(dir, "socket"))
		if err != nil {
			t.Error(err)
			continue
		}
		conn.Close()
	}
}
