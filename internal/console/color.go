package console

// Colored reports whether text for people has colours, by the environment and whether it
// goes to a terminal. In this order: NO_COLOR switches them off, CLICOLOR_FORCE and
// FORCE_COLOR switch them on even outside a terminal, and CLICOLOR=0, FORCE_COLOR=0 and
// TERM=dumb switch them off on a terminal.
func Colored(getenv func(string) string, terminal bool) bool {
	forced := func(name string) bool { v := getenv(name); return v != "" && v != "0" }
	switch {
	case getenv("NO_COLOR") != "":
		return false
	case forced("CLICOLOR_FORCE"), forced("FORCE_COLOR"):
		return true
	case getenv("CLICOLOR") == "0", getenv("FORCE_COLOR") == "0", getenv("TERM") == "dumb":
		return false
	}
	return terminal
}
