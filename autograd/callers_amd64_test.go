package autograd

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// walks holds the stack as both methods see it from the same place, and as the
// fast method sees it with less room.
type walks struct {
	fast, slow []uintptr
	cut        [4][]uintptr
}

var rooms = [4]int{0, 1, 7, 32}

//go:noinline
func walkBoth() (w walks) {
	w.fast, w.slow = make([]uintptr, 5000), make([]uintptr, 5000)
	w.fast = w.fast[:returnAddresses(w.fast)]
	for i, room := range rooms {
		cut := make([]uintptr, room+1)
		n := returnAddresses(cut[:room:room])
		w.cut[i] = append(cut[:n:n], cut[room]) // the last entry must stay zero
	}
	w.slow = w.slow[:runtime.Callers(2, w.slow)] // from the caller on, like the fast method
	return w
}

// entry returns the address of the function that contains an address. Inlined
// functions have no entry of their own.
func entry(pc uintptr) uintptr {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.Entry
}

// hidden is the most consecutive frames, made by the compiler or part of
// reflect, that the runtime does not show.
const hidden = 5

// check requires that the fast method finds all frames that the runtime shows,
// in order, and no others except hidden ones. runtime.Callers has additional
// entries for functions with inlined calls; no call returns there.
func (w *walks) check(t *testing.T) {
	t.Helper()
	at, last := 0, uintptr(0)
	for _, pc := range w.slow {
		near := w.fast[at:min(at+hidden, len(w.fast))]
		// The address of an instruction that failed is one higher in
		// runtime.Callers.
		if i := slices.IndexFunc(near, func(p uintptr) bool { return p == pc || p == pc-1 }); i >= 0 {
			at, last = at+i+1, entry(pc)
		} else if entry(pc) != last {
			t.Errorf("%s was not found\n got %q\nwant %q", names([]uintptr{pc}), names(w.fast[:min(30, len(w.fast))]), names(w.slow[:min(30, len(w.slow))]))
			break
		}
	}
	if at != len(w.fast) {
		t.Errorf("%d frames beyond the end of the stack: %q", len(w.fast)-at, names(w.fast[at:]))
	}
	for i, room := range rooms {
		want := append(slices.Clone(w.fast[:min(room, len(w.fast))]), 0)
		if !slices.Equal(w.cut[i], want) {
			t.Errorf("with room for %d: %x, want %x", room, w.cut[i], want)
		}
	}
}

func names(pcs []uintptr) (list []string) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		list = append(list, f.Function)
		if !more {
			return list
		}
	}
}

//go:noinline
func atDepth(n int) walks {
	if n == 0 {
		return walkBoth()
	}
	w := atDepth(n - 1)
	runtime.KeepAlive(n)
	return w
}

// large has frames of a megabyte.
//
//go:noinline
func large(n int) walks {
	var fill [1 << 20]byte
	fill[n] = 1
	if n == 0 {
		return walkBoth()
	}
	w := large(n - 1)
	runtime.KeepAlive(&fill)
	return w
}

// stackPlaces run a function in places where the stack looks different.
var stackPlaces = map[string]func(f func()){
	"plain":     func(f func()) { f() },
	"goroutine": func(f func()) { var wg sync.WaitGroup; wg.Go(f); wg.Wait() },
	"bare go":   func(f func()) { done := make(chan bool); go func() { f(); close(done) }(); <-done },
	"deferred":  func(f func()) { defer f() },
	"while panicking": func(f func()) {
		defer func() { recover() }()
		defer f()
		panic("on purpose")
	},
	"in a recovery": func(f func()) {
		defer func() { recover(); f() }()
		var none *int
		*none = 1
	},
	"reflection": func(f func()) { reflect.ValueOf(f).Call(nil) },
	"made function": func(f func()) {
		made := reflect.MakeFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { f(); return nil })
		made.Interface().(func())()
	},
	"sorting": func(f func()) {
		once := sync.OnceFunc(f)
		slices.SortFunc([]int{2, 1}, func(a, b int) int { once(); return a - b })
	},
	"iterator": func(f func()) {
		for range func(yield func() bool) { yield() } {
			f()
		}
	},
	"timer": func(f func()) {
		done := make(chan bool)
		time.AfterFunc(0, func() { f(); close(done) })
		<-done
	},
	"finalizer": func(f func()) {
		done := make(chan bool)
		runtime.AddCleanup(new([64]int), func(int) { f(); close(done) }, 0)
		runtime.GC()
		<-done
	},
	"grown stack": func(f func()) {
		var wg sync.WaitGroup
		wg.Go(func() { atDepth(4000); f() })
		wg.Wait()
	},
	"locked thread": func(f func()) {
		var wg sync.WaitGroup
		wg.Go(func() { runtime.LockOSThread(); f() })
		wg.Wait()
	},
}

func TestFramePointersFindTheStackThatTheRuntimeFinds(t *testing.T) {
	if !boundsKnown {
		t.Fatal("the runtime has moved the bounds of stacks")
	}
	for name, run := range stackPlaces {
		t.Run(name, func(t *testing.T) {
			var w walks
			for _, depth := range []int{0, 1, 5, 100, 3000} {
				run(func() { w = atDepth(depth) })
				w.check(t)
			}
			run(func() { w = large(3) })
			w.check(t)
		})
	}
}

// The stack moves while the goroutine runs, and others do the same.
func TestFramePointersWhileStacksGrowAndShrink(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for depth := 1; depth < 4000; depth = depth*2 + 1 {
				w := atDepth(depth)
				w.check(t)
				runtime.GC() // shrinks stacks
			}
		})
	}
	all.Wait()
}

//go:noinline
func stackHere() (k stackKey) {
	returnAddresses(k[:])
	return k
}

func TestOnePlaceOfTheProgramHasOneKey(t *testing.T) {
	var same [2]stackKey
	for i := range same {
		same[i] = stackHere()
	}
	if same[0] != same[1] {
		t.Error("one place, two keys")
	}
	if a, b := stackHere(), stackHere(); a == b {
		t.Error("two places, one key")
	}
}
