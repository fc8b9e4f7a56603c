package debugger

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/settings"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

// configured is what the configuration says.
type configured struct {
	ui.Settings
	wrong string // what is wrong with it, which keeps its default
}

// settings reads the configuration, and reports whether it switches sessions off. A file that was asked for
// has to be there.
func (d *Flags) settings() (s configured, noSession bool, err error) {
	f, wrong := (*settings.File)(nil), []error(nil)
	if d.Config == "" {
		f, wrong = settings.Find()
	} else if _, err := os.Stat(d.Config); err != nil {
		return s, false, fmt.Errorf("cannot read %s: %w", cli.OneLine(d.Config), cli.Reason(err))
	} else {
		f, wrong = settings.Read(d.Config)
	}
	own, more := ui.NewSettings(f)
	if wrong = append(wrong, more...); len(wrong) > 0 {
		s.wrong = wrong[0].Error()
		if len(wrong) > 1 {
			s.wrong += fmt.Sprintf(" (and %d more; gradtui doctor lists them)", len(wrong)-1)
		}
	}
	s.Settings = own
	return s, f.NoSession, nil
}

// loadSession loads the session of a program or a tape.
func (d *Flags) loadSession(of string, o *ui.Options) {
	if d.NoSession || of == "" {
		return
	}
	file, err := session.For(of)
	if err == nil {
		o.SessionFile = file
		o.Earlier, err = file.Load()
	}
	if err != nil && o.Notice == "" {
		o.Notice = err.Error()
	}
}

// sessionOf names what the session of a program is kept for: its path, or what else tells it from others.
func sessionOf(p *launch.Program) string {
	here, err := filepath.Abs(".")
	switch {
	case p.Example:
		return "demo " + p.Name
	case p.Guest != nil, p.Name == python.StandardInput, err != nil:
		return ""
	case p.Module:
		return "python -m " + p.Name + " in " + here
	case filepath.IsAbs(p.Name):
		return filepath.Clean(p.Name)
	}
	return filepath.Join(here, p.Name)
}

// SessionOfTape names what the session of a tape is kept for.
func SessionOfTape(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return path
}
