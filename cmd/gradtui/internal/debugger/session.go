package debugger

import (
	"path/filepath"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

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
