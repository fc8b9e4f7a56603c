//go:build !unix

package scratch

// shared is where all users have their temporary files; "": nowhere.
const shared = ""

// longestSocket is how long the path of a socket may be.
const longestSocket = 107
