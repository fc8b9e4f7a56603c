//go:build unix

// Command campaign attacks gradtui: it kills it, runs it where nothing is as usual, gives
// it tapes that lie and names that mean something to a terminal, and lets it run for long.
//
//	go run ./tools/campaign                        # every campaign but soak
//	go run ./tools/campaign -only kill,names       # two of them
//	go run ./tools/campaign -engine torch -python /usr/bin/python3
//	go run ./tools/campaign -only soak -time 10m
//
// Each campaign is a list of trials. A trial has a folder of its own with a TMPDIR inside,
// and fails when gradtui panics, does not end, leaves files behind, or does something that
// the campaign forbids. The choices come from -seed, so that a run can be repeated; -count
// and -time bound it. The table at the end says how many trials there were, how many
// survived, and what the worst ones did; the exit code is 1 if one failed.
//
// The campaigns start and end only their own processes, and remove what they have written.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

// A campaign is one way to attack gradtui.
type campaign struct {
	name  string
	about string
	run   func(*lab)
	asked bool // runs only if -only names it
}

var campaigns = []campaign{
	{name: "kill", about: "SIGKILL for the program, the recording command, the debugger at random moments", run: kill},
	{name: "surroundings", about: "full disks, limits, missing and read-only folders, long paths, outputs that are inputs", run: surroundings},
	{name: "awkward", about: "programs that notice things: the same exit code and output as under bare Python", run: awkward},
	{name: "names", about: "strings that mean something to terminals, pictures and reports, in every place of a tape", run: names},
	{name: "tapes", about: "crafted tapes, and tapes with flipped bits, cuts and repetitions", run: tapes},
	{name: "scripts", about: "check scripts that want to run for ever or to eat the memory", run: scripts},
	{name: "soak", about: "one long recording: memory, descriptors and files over time", run: soak, asked: true},
}

func main() {
	l := &lab{}
	var list []string
	for _, c := range campaigns {
		list = append(list, c.name)
	}
	flag.StringVar(&l.bin, "bin", "", "the gradtui to attack (default: build it)")
	flag.StringVar(&l.engine, "engine", "builtin", "the engine of recorded programs: builtin or torch")
	flag.StringVar(&l.python, "python", "python3", "the Python of recorded programs")
	flag.StringVar(&l.scratch, "dir", os.TempDir(), "where trials have their folders")
	flag.Uint64Var(&l.seed, "seed", 1, "what random choices come from")
	flag.IntVar(&l.count, "count", 40, "how many random trials a campaign has")
	flag.DurationVar(&l.limit, "time", 10*time.Minute, "when a campaign begins no further trial")
	only := flag.String("only", "", "the campaigns to run, separated by commas: "+strings.Join(list, ", "))
	flag.Parse()
	names := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	for _, name := range names {
		if !slices.Contains(list, name) {
			fmt.Fprintf(os.Stderr, "campaign: there is no campaign %q: give some of %s\n", name, strings.Join(list, ", "))
			os.Exit(2)
		}
	}
	failed, err := run(l, names)
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(l *lab, names []string) (failed bool, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp(l.scratch, "gradtui-campaign-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	// A folder of its own, which others may enter: a trial runs as another user.
	if err := os.Chmod(dir, 0o755); err != nil {
		return false, err
	}
	l.scratch = dir
	if l.bin == "" {
		fmt.Fprintln(os.Stderr, "building gradtui …")
		if l.bin, err = thiscommand.Build(dir); err != nil {
			return false, err
		}
	}
	var all []score
	for _, c := range campaigns {
		if len(names) == 0 && c.asked || len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		l.begin(ctx, c.name)
		c.run(l)
		l.score.took = time.Since(l.began).Round(time.Second)
		all = append(all, l.score)
		failed = failed || len(l.score.failures) > 0
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "interrupted: what follows is not complete")
			failed = true
			break
		}
	}
	report(all)
	return failed, nil
}

// shown is how many failures of a campaign the report lists.
const shown = 20

func report(all []score) {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "campaign\ttried\tsurvived\tskipped\ttime\tworst")
	for _, s := range all {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\n", s.campaign, s.tried, s.tried-s.lost, s.skipped, s.took, strings.Join(s.notes, "; "))
	}
	w.Flush()
	for _, s := range all {
		for i, f := range s.failures {
			if i == shown {
				fmt.Printf("%s: … and %d more\n", s.campaign, len(s.failures)-shown)
				break
			}
			fmt.Printf("%s: %s\n", s.campaign, f)
		}
	}
}
