//go:build unix

package main

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"time"
)

//go:embed programs/loop.py
var loop string

// mostMemory is what gradtui may take at any moment, in MB, however long the tape is.
const mostMemory = 300

// soak records one program for as long as a campaign may take, and looks at gradtui's
// memory and files meanwhile. Then check and the debugger read the whole tape.
func soak(l *lab) {
	l.try("a long recording", func(t *trial) {
		t.write("loop.py", loop)
		t.env = append(t.env, fmt.Sprintf("CAMPAIGN_SECONDS=%.0f", t.limit.Seconds()*0.6))
		tape := filepath.Join(t.dir, "run.tape")
		pid, ended, end, err := t.start(false, append(append([]string{"record"}, t.engineFlags()...), "-o", tape, "loop.py"))
		if err != nil {
			t.fail("%v", err)
			return
		}
		defer end()
		most, files := int64(0), 0
		for !closed(ended) && t.ctx.Err() == nil {
			bytes, open := usage(pid)
			most, files = max(most, bytes), max(files, open)
			t.pause(time.Second / 2)
		}
		t.expectClean()
		t.note("record: at most %d MB, %d files open", most>>20, files)
		if most>>20 > mostMemory {
			t.fail("recording took %d MB", most>>20)
		}
		for _, args := range [][]string{{"check", tape}, {"open", "--plain-ui", tape}, {"stat", tape}} {
			r := t.command("G\nq\n", t.bin, args...)
			kib := int64(0)
			if r.usage != nil {
				kib = int64(r.usage.Maxrss)
			}
			t.note("%s: %d MB", args[0], kib>>10)
			if kib>>10 > mostMemory {
				t.fail("%s took %d MB", args[0], kib>>10)
			}
			if r.code > 1 {
				t.fail("%s ended with %d: %.200s", args[0], r.code, r.stderr)
			}
		}
	})
}
