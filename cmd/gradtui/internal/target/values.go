package target

import (
	"fmt"
	"strconv"

	"github.com/gradtui/gradtui/graph"
)

// Values says how many elements of each tensor are recorded, as [graph.Limits.Elements]. It is
// the value of a flag: "full", "summary" or a number; "" stands for what is usual.
type Values int

// Set reads what a user has typed.
func (v *Values) Set(text string) error {
	switch text {
	case "":
		*v = 0
	case "summary":
		*v = graph.UsualElements
	case "full":
		*v = graph.MostElements
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is neither full, summary nor a number of elements", text)
		}
		*v = Values(min(max(n, graph.UsualElements), graph.MostElements))
	}
	return nil
}

func (v *Values) String() string {
	switch *v {
	case 0:
		return ""
	case graph.UsualElements:
		return "summary"
	case graph.MostElements:
		return "full"
	}
	return strconv.Itoa(int(*v))
}

// Type names the values of the flag.
func (v *Values) Type() string { return "number" }
