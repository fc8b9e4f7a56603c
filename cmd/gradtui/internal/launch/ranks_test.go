package launch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRanksAreStartedByTorchrun(t *testing.T) {
	for _, c := range []struct {
		given, want Program
	}{
		{
			Program{Name: "train.py", Language: Python, Args: []string{"-x"}, Ranks: 2},
			Program{Name: "torch.distributed.run", Module: true, Args: []string{"--standalone", "--nproc_per_node", "2", "train.py", "-x"}},
		},
		{
			Program{Name: "pkg.train", Module: true, Ranks: 4},
			Program{Name: "torch.distributed.run", Module: true, Args: []string{"--standalone", "--nproc_per_node", "4", "--module", "pkg.train"}},
		},
		{
			Program{Name: "torchrun", Args: []string{"--nproc_per_node", "2", "train.py"}},
			Program{Name: "torch.distributed.run", Module: true, Args: []string{"--nproc_per_node", "2", "train.py"}},
		},
		{Program{Name: "start.py", Language: Python, Launcher: true}, Program{Name: "start.py", Language: Python}},
		{Program{Name: "torch.distributed.launch", Module: true}, Program{Name: "torch.distributed.launch", Module: true}},
	} {
		got := c.given.asRun()
		if got.Name != c.want.Name || got.Module != c.want.Module || !cmp.Equal(got.Args, c.want.Args) {
			t.Errorf("%+v runs as %+v, want %+v", c.given, got, c.want)
		}
		if !c.given.Distributed() || !c.given.IsPython() {
			t.Errorf("%+v is not taken for a program of several ranks", c.given)
		}
	}
	for _, alone := range []Program{{Name: "train.py", Language: Python}, {Name: "torch.distributed.run"}, {Name: "pkg.train", Module: true}} {
		if alone.Distributed() {
			t.Errorf("%+v is taken for a program of several ranks", alone)
		}
	}
}
