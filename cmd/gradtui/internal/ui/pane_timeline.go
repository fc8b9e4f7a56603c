package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// timelineView shows the run at a glance, and where the cursor is in it.
type timelineView struct{}

func (v *timelineView) about(*Model) string            { return "" }
func (v *timelineView) refresh(*Model)                 {}
func (v *timelineView) draw(*Model, cells.Region)      {}
func (v *timelineView) move(*Model, int, int)          {}
func (v *timelineView) open(*Model) tea.Cmd            { return nil }
func (v *timelineView) click(*Model, int, int) tea.Cmd { return nil }
