package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// memoryView shows how many bytes are held over the tape, and by which lines.
type memoryView struct{ list }

func (v *memoryView) about(*Model) string            { return "" }
func (v *memoryView) refresh(*Model)                 {}
func (v *memoryView) draw(*Model, cells.Region)      {}
func (v *memoryView) move(*Model, int, int)          {}
func (v *memoryView) open(*Model) tea.Cmd            { return nil }
func (v *memoryView) click(*Model, int, int) tea.Cmd { return nil }
