package processes

import "golang.org/x/sys/unix"

// all lists the processes that there are.
func all() (list []Process) {
	found, _ := unix.SysctlKinfoProcSlice("kern.proc.all")
	for i := range found {
		list = append(list, described(&found[i]))
	}
	return list
}

// look describes a process.
func look(pid int) (p Process, ok bool) {
	found, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return p, false
	}
	return described(found), true
}

func described(k *unix.KinfoProc) Process {
	pid := int(k.Proc.P_pid)
	session, _ := unix.Getsid(pid) // 0 for all whose session cannot be known
	return Process{pid, int(k.Eproc.Ppid), session, uint64(k.Proc.P_starttime.Nano())}
}
