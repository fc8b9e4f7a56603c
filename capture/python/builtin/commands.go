package builtin

import "github.com/gradtui/gradtui/autograd"

// A command is a function that Python calls by name and that is not one of the engine's.
type command func(s *session, args []any, kwargs []autograd.Option) (any, error)

// commands are all of them, by name.
var commands = joined(
	channelCommands,
	tensorCommands,
	metadataCommands,
	autogradCommands,
	functionCommands,
	graphCommands,
	holderCommands,
	noteCommands,
	optimCommands,
	variableCommands,
	asideCommands,
)

// joined is one table of several, in which no name may be twice.
func joined(tables ...map[string]command) map[string]command {
	all := map[string]command{}
	for _, table := range tables {
		for name, c := range table {
			if all[name] != nil {
				panic("builtin: two commands " + name)
			}
			all[name] = c
		}
	}
	return all
}
