package checks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
)

// PolicyFlags are the flags that say which findings count.
type PolicyFlags struct {
	failOn       string
	only, ignore []string
	hints        bool
	file         string
	noFile       bool
	Path         string // the project file that was read; "": none
	flags        *pflag.FlagSet
}

// AddTo adds the flags to a set.
func (f *PolicyFlags) AddTo(flags *pflag.FlagSet) {
	f.flags = flags
	flags.StringVar(&f.failOn, "fail-on", "warning", "findings of this `severity` or above fail the check:\n"+strings.Join(inspect.SeverityNames(), ", "))
	flags.StringSliceVar(&f.only, "only", nil, "report only these `codes`, separated by commas")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "do not report these `codes`")
	flags.BoolVar(&f.hints, "hints", false, "also show hints: findings that may be intended")
	flags.StringVar(&f.file, "config", "", "the project `file` (default: "+policy.FileName+" in the program's folder or above)")
	flags.BoolVar(&f.noFile, "no-config", false, "ignore the project file")
}

// Policy returns the project file's policy, with the flags applied.
func (f *PolicyFlags) Policy(target string) (p policy.Policy, err error) {
	p = policy.Default()
	path := f.file
	switch {
	case f.noFile && path != "":
		return p, errors.New("--config and --no-config exclude each other")
	case f.noFile:
	case path == "":
		if path, err = policy.FindFile(folder(target)); err != nil {
			return p, fmt.Errorf("%w, or use --config FILE or --no-config", err)
		}
	}
	f.Path = path
	if path != "" {
		if p, err = policy.Load(path, Rules()); err != nil {
			return p, err
		}
	}
	if f.flags.Changed("fail-on") {
		if p.FailOn, err = inspect.ParseSeverity(f.failOn); err != nil {
			return p, fmt.Errorf("--fail-on: %w", err)
		}
	}
	for _, codes := range []struct {
		flag  string
		given []string
		to    *[]string
	}{{"only", f.only, &p.Only}, {"ignore", f.ignore, &p.Ignore}} {
		if !f.flags.Changed(codes.flag) {
			continue
		}
		if err := policy.CheckCodes(codes.given, Rules()); err != nil {
			return p, fmt.Errorf("--%s: %w", codes.flag, err)
		}
		*codes.to = codes.given
	}
	if f.flags.Changed("hints") {
		p.Hints = f.hints
	}
	return p, nil
}

// folder returns the folder of a program or a tape.
func folder(target string) string {
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return target
	}
	return filepath.Dir(target)
}
