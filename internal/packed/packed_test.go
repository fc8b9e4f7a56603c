package packed

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type element struct {
	id    uint32
	bytes int64
	on    bool
	kind  uint8
}

// A list is a slice, whatever is packed.
func TestAListIsASliceAlsoAfterItWasRestored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := List[element]{limit: rapid.IntRange(2, 6).Draw(t, "limit")}
		var want []element
		type moment struct {
			Snapshot[element]
			want []element
		}
		var moments []moment
		next := uint32(0)
		some := func() element {
			next += rapid.Uint32Range(0, 3).Draw(t, "step")
			return element{next, -int64(next) << 20, next%3 == 0, uint8(next)}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "do") {
			case 0, 1, 2:
				x := some()
				for i := range rapid.IntRange(1, 3<<pageShift[element](pageBytes)).Draw(t, "more") {
					x.id += uint32(i % 5)
					list.Push(x)
					want = append(want, x)
				}
			case 3:
				for range rapid.IntRange(0, len(want)).Draw(t, "fewer") {
					list.Pop()
					want = want[:len(want)-1]
				}
			case 4:
				for range rapid.IntRange(0, 50).Draw(t, "changes") {
					if len(want) > 0 {
						i := rapid.IntRange(0, len(want)-1).Draw(t, "where")
						want[i] = some()
						*list.Change(i) = want[i]
					}
				}
			case 5:
				moments = append(moments, moment{list.Snapshot(), slices.Clone(want)})
			case 6:
				if len(moments) > 0 {
					m := moments[rapid.IntRange(0, len(moments)-1).Draw(t, "moment")]
					list.Restore(m.Snapshot)
					want = slices.Clone(m.want)
				}
			}
			if rapid.Bool().Draw(t, "settle") {
				list.Settle()
			}
			if list.Len() != len(want) {
				t.Fatalf("%d elements, want %d", list.Len(), len(want))
			}
			for i := range want {
				if got := *list.At(i); got != want[i] {
					t.Fatalf("element %d is %v, want %v", i, got, want[i])
				}
			}
		}
	})
}

// What repeats itself takes a few bytes an element.
func TestALongListTakesLittleMemory(t *testing.T) {
	var list List[[12]uint32]
	const n = 1_000_000
	for i := range uint32(n) {
		list.Push([12]uint32{i * 5, i, i, i / 60 * 60, i / 6, i % 60, 0, i % 7})
		list.Settle()
	}
	if got := list.Memory() / n; got > 12 {
		t.Errorf("%d bytes an element", got)
	}
	if x := list.At(5)[0]; x != 25 {
		t.Error(x)
	}
}

func TestElementsWithPointersAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("they were taken")
		}
	}()
	var list List[struct{ name *string }]
	list.Push(struct{ name *string }{})
}
