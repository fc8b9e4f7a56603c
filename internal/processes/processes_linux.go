package processes

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// all lists the processes that there are.
func all() (list []Process) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if p, ok := look(pid); ok {
			list = append(list, p)
		}
	}
	return list
}

// look describes a process. proc_pid_stat(5) has the fields; the name of the program, in
// parentheses, may have any character.
func look(pid int) (p Process, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, false
	}
	const parent, session, started = 1, 3, 19 // after the name
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) <= started {
		return p, false
	}
	p.PID = pid
	p.Parent, _ = strconv.Atoi(fields[parent])
	p.Session, _ = strconv.Atoi(fields[session])
	p.started, err = strconv.ParseUint(fields[started], 10, 64)
	return p, err == nil
}
