package repr

import "strconv"

// Size returns the text of a torch.Size: "torch.Size([2, 3])".
func Size(shape []int) string { return "torch.Size(" + List(shape) + ")" }

// List returns Python's repr of a list of ints: "[2, 3]".
func List(items []int) string {
	return string(append(appendItems([]byte{'['}, items), ']'))
}

// Tuple returns Python's repr of a tuple of ints: "(2, 3)", "(3,)", "()".
func Tuple(items []int) string {
	b := appendItems([]byte{'('}, items)
	if len(items) == 1 {
		b = append(b, ',')
	}
	return string(append(b, ')'))
}

func appendItems(dst []byte, items []int) []byte {
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(item), 10)
	}
	return dst
}
