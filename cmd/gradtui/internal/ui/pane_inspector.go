package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// inspectorView tells of the chosen node or tensor.
type inspectorView struct{ scroll }

func (v *inspectorView) about(m *Model) string          { return m.nameOf(m.chosen) }
func (v *inspectorView) refresh(*Model)                 {}
func (v *inspectorView) draw(*Model, cells.Region)      {}
func (v *inspectorView) move(*Model, int, int)          {}
func (v *inspectorView) open(*Model) tea.Cmd            { return nil }
func (v *inspectorView) click(*Model, int, int) tea.Cmd { return nil }
