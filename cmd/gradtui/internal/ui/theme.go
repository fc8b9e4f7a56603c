package ui

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/images"
	"github.com/gradtui/gradtui/inspect"
)

// The styles. Colours follow torchviz: leaves are blue, the output is green, what was
// saved is orange. No style is the only sign of anything.
const (
	plain cells.Style = iota
	muted
	strong
	rule       // lines between panes
	headline   // the name of a pane
	headFocus  // the name of the focused pane
	keycap     // keys in the help
	leaf       // leaf tensors and AccumulateGrad
	output     // the root
	saved      // saved tensors
	gradient   // gradients
	running    // the node that is about to run
	done       // what has run
	failed     // errors
	warned     // warnings
	hinted     // hints
	freed      // what was freed
	lineNumber // numbers of source lines
	keyword    // of source code
	literal    // strings and numbers in source code
	comment
	function
	matched     // letters that a search found
	lanes       // edges of the graph
	placeholder // pieces of a picture
	heatAbove   // four styles, for elements of a tensor above zero: the tiny ones first
	_
	_
	_
	heatBelow // four styles, for elements below zero
	_
	_
	_
	lastStyle
)

// The styles of blocks whose halves are two elements of a tensor: halfBlocks + upper*halfLevels + lower.
const halfBlocks cells.Style = 100

// The levels of a half.
const (
	halfUnknown cells.Style = iota
	halfZero
	halfAbove                  // four, as heatAbove
	halfBelow  = halfAbove + 4 // four, as heatBelow
	halfLevels = halfBelow + 4
	halfBroken = halfLevels // not finite, which has no colour
)

// halfZeroLook is the colour of a zero in a block.
var halfZeroLook = appearance{light: "#dfe2e7", dark: "#363b44"}

// appearance is how a style looks on a light and on a dark background.
type appearance struct {
	light, dark string // colours; "": the terminal's own
	bold        bool
	italic      bool
	underline   bool
	faint       bool
}

var looks = [lastStyle]appearance{
	plain:      {},
	muted:      {light: "#6c6f75", dark: "#8b9098"},
	strong:     {bold: true},
	rule:       {light: "#b4b8bf", dark: "#4c525c"},
	headline:   {light: "#4a4f57", dark: "#b4bac4"},
	headFocus:  {light: "#00578f", dark: "#7cc4ff", bold: true},
	keycap:     {light: "#00578f", dark: "#7cc4ff"},
	leaf:       {light: "#0060b0", dark: "#8cc8ff"},
	output:     {light: "#197030", dark: "#7fd88f"},
	saved:      {light: "#a35200", dark: "#ffb26b"},
	gradient:   {light: "#7b3fa0", dark: "#d2a8ff"},
	running:    {light: "#8a6d00", dark: "#ffe066", bold: true},
	done:       {light: "#197030", dark: "#7fd88f"},
	failed:     {light: "#b3001b", dark: "#ff7b80", bold: true},
	warned:     {light: "#8a6d00", dark: "#ffd166"},
	hinted:     {light: "#00707a", dark: "#7ee0e0"},
	freed:      {light: "#6c6f75", dark: "#8b9098", italic: true},
	lineNumber: {light: "#8a8f98", dark: "#6a707a"},
	keyword:    {light: "#7b3fa0", dark: "#d2a8ff"},
	literal:    {light: "#197030", dark: "#a5d6a7"},
	comment:    {light: "#6c6f75", dark: "#8b9098", italic: true},
	function:   {light: "#00578f", dark: "#9ccbff"},
	matched:    {light: "#a35200", dark: "#ffb26b", bold: true, underline: true},
	lanes:      {light: "#8a8f98", dark: "#7d848f"},

	heatAbove: {light: "#b08a80", dark: "#8f7370"}, heatAbove + 1: {light: "#b5604a", dark: "#c08a7a"},
	heatAbove + 2: {light: "#b33a1e", dark: "#ea9075"}, heatAbove + 3: {light: "#b31200", dark: "#ff7b60", bold: true},
	heatBelow: {light: "#8090b0", dark: "#70798f"}, heatBelow + 1: {light: "#4a70b5", dark: "#7a97c0"},
	heatBelow + 2: {light: "#1e5ab3", dark: "#75aaea"}, heatBelow + 3: {light: "#0040b3", dark: "#60b4ff", bold: true},
}

// palette turns the looks into what switches them on. Bubble Tea brings the colours
// down to what the terminal has, and takes them out for NO_COLOR.
func palette(dark bool) *cells.Palette { return (&Settings{}).palette(dark) }

// newPalette is the palette of the theme.
func (m *Model) newPalette() *cells.Palette {
	return m.Settings.palette(m.theme == "dark" || m.theme != "light" && m.dark)
}

func (t *Settings) palette(dark bool) *cells.Palette {
	var p cells.Palette
	pick := lipgloss.LightDark(dark)
	for i, l := range looks {
		s := lipgloss.NewStyle().Bold(l.bold).Italic(l.italic).Underline(l.underline).Faint(l.faint)
		switch own := t.colours[cells.Style(i)]; {
		case own != "":
			s = s.Foreground(lipgloss.Color(own))
		case l.light != "" && t.theme != "mono":
			s = s.Foreground(pick(lipgloss.Color(l.light), lipgloss.Color(l.dark)))
		}
		p[i], _, _ = strings.Cut(s.Render("x"), "x")
	}
	p[placeholder] = images.Colour
	half := func(level cells.Style) color.Color {
		look := halfZeroLook
		switch {
		case level == halfUnknown:
			return nil
		case level >= halfBelow:
			look = looks[heatBelow+level-halfBelow]
		case level >= halfAbove:
			look = looks[heatAbove+level-halfAbove]
		}
		return pick(lipgloss.Color(look.light), lipgloss.Color(look.dark))
	}
	for upper := range halfLevels {
		for lower := range halfLevels {
			s := lipgloss.NewStyle().Background(half(lower)).Foreground(half(upper))
			p[halfBlocks+upper*halfLevels+lower], _, _ = strings.Cut(s.Render("x"), "x")
		}
	}
	return &p
}

// severityStyles and severityMarks show how bad a finding is.
var (
	severityStyles = [...]cells.Style{inspect.SeverityHint: hinted, inspect.SeverityWarning: warned, inspect.SeverityError: failed}
	severityMarks  = [...]string{inspect.SeverityHint: "·", inspect.SeverityWarning: "!", inspect.SeverityError: "✗"}
)
