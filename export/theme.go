package export

import "github.com/gradtui/gradtui/internal/suggest"

// Theme is what colours a picture has.
type Theme uint8

const (
	// Light is dark text on white.
	Light Theme = iota
	// Dark is light text on a dark background.
	Dark
)

var themeNames = [...]string{Light: "light", Dark: "dark"}

// String is the name of the theme.
func (t Theme) String() string {
	if int(t) < len(themeNames) {
		return themeNames[t]
	}
	return "unknown"
}

// ThemeNames lists the names of the themes, the default first.
func ThemeNames() []string { return themeNames[:] }

// ParseTheme finds a theme by its name.
func ParseTheme(name string) (Theme, error) {
	for t, n := range themeNames {
		if n == name {
			return Theme(t), nil
		}
	}
	return 0, suggest.Unknown("theme", label(name, 60), themeNames[:])
}

// Direction is where the arrows of a picture point to, from the inputs to the loss.
type Direction uint8

// The directions.
const (
	Down Direction = iota
	Up
	Right
	Left
)

// directions has the names of the directions, and Graphviz's.
var directions = [...]struct{ name, rankdir string }{Down: {"down", "TB"}, Up: {"up", "BT"}, Right: {"right", "LR"}, Left: {"left", "RL"}}

// String is the name of the direction.
func (d Direction) String() string {
	if int(d) < len(directions) {
		return directions[d].name
	}
	return "unknown"
}

// DirectionNames lists the names of the directions, the default first.
func DirectionNames() []string {
	names := make([]string, len(directions))
	for i, d := range directions {
		names[i] = d.name
	}
	return names
}

// ParseDirection finds a direction by its name.
func ParseDirection(name string) (Direction, error) {
	for d, info := range directions {
		if info.name == name {
			return Direction(d), nil
		}
	}
	return 0, suggest.Unknown("direction", label(name, 60), DirectionNames())
}

// paint is how a box looks.
type paint struct{ fill, line string }

// A palette is the colours of a theme. Text has a contrast of at least 4.5 to what it
// stands on.
type palette struct {
	background         string // "": what the program that shows the picture has
	text, faded        string
	line, cluster      string
	ops                [len(kindNames)]paint
	boxes              map[boxKind]paint
	statuses           map[string]string
	saved, freed       string
	hazard             string
	running            string // fills the boxes of the nodes that run in a frame
	weak, strong, zero string // arrows, by the norm of the gradient
}

var palettes = [...]palette{
	Light: {
		text: "#1b2430", faded: "#56606d", line: "#56606d", cluster: "#9aa4b0",
		ops: [...]paint{
			otherOp: {"#fcf2d6", "#94741a"}, weightOp: {"#dbe8f7", "#34679e"}, normOp: {"#def0e1", "#3a7847"},
			activationOp: {"#fbe3db", "#ae4c35"}, poolOp: {"#e7e1f5", "#66509d"}, lossOp: {"#fadfeb", "#a0366a"},
			shapeOp: {"#f4f5f7", "#828c99"},
		},
		boxes: map[boxKind]paint{
			leafBox: {"#d9eff5", "#2b7a90"}, dataBox: {"#ffffff", "#56606d"}, outputBox: {"#e6f4c3", "#5f8218"},
			baseBox: {"#d3e7a4", "#5f8218"}, foldBox: {"#ffffff", "#56606d"},
		},
		statuses: map[string]string{"pending": "#f5f5f5", "waiting": "#fff3c4", "ready": "#ffe082", "done": "#c8e6c9", "failed": "#ef9a9a"},
		saved:    "#ffe0b0", freed: "#e4e4e4", hazard: "#c00000", running: "#ff9f1c",
		weak: "#a9bacb", strong: "#173a63", zero: "#1560bd",
	},
	Dark: {
		background: "#12161c", text: "#e8ebf0", faded: "#aab4c0", line: "#8d98a6", cluster: "#4b5665",
		ops: [...]paint{
			otherOp: {"#453a14", "#d9b84a"}, weightOp: {"#1d3855", "#74abdf"}, normOp: {"#1d3d26", "#80c08b"},
			activationOp: {"#52281d", "#e58f76"}, poolOp: {"#352a57", "#b5a1e3"}, lossOp: {"#511f39", "#e385b2"},
			shapeOp: {"#252b34", "#8d98a6"},
		},
		boxes: map[boxKind]paint{
			leafBox: {"#15384a", "#6dc1e1"}, dataBox: {"#12161c", "#aab4c0"}, outputBox: {"#35460f", "#b7da5c"},
			baseBox: {"#46591e", "#b7da5c"}, foldBox: {"#12161c", "#aab4c0"},
		},
		statuses: map[string]string{"pending": "#2b313a", "waiting": "#4d4410", "ready": "#6b5200", "done": "#1f4d2a", "failed": "#7a2020"},
		saved:    "#5a3d0c", freed: "#333a44", hazard: "#ff6b6b", running: "#a85f00",
		weak: "#5b6b7d", strong: "#cfe3ff", zero: "#5aa2ff",
	},
}

// palette is the palette of a picture.
func (o *Options) palette() *palette {
	if int(o.Theme) < len(palettes) {
		return &palettes[o.Theme]
	}
	return &palettes[Light]
}

// paint is how a box of the diagram looks.
func (p *palette) paint(b *box) paint {
	if c, ok := p.boxes[b.kind]; ok {
		return c
	}
	return p.ops[min(b.op, shapeOp)]
}
