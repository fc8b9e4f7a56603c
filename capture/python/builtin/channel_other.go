//go:build !unix

package builtin

import (
	"errors"
	"net"

	"github.com/gradtui/gradtui/capture/python/protocol"
)

// A channel to a Python program exists where processes can share memory and wake
// each other at a socket in the way that channel.go does; not here.
type channel struct{ conn *net.UnixConn }

// ChannelVariable is the environment variable that tells the program where its
// channel is.
const ChannelVariable = "GRADTUI_CHANNEL"

var errNoChannel = errors.New("Python programs can be run on Linux and macOS only")

func newChannel() (*channel, error)                         { return nil, errNoChannel }
func (*channel) environment() string                        { return "" }
func (*channel) accept() error                              { return errNoChannel }
func (*channel) hangUp()                                    {}
func (*channel) cut()                                       {}
func (*channel) close()                                     {}
func (*channel) next() ([]byte, error)                      { return nil, errNoChannel }
func (*channel) done(int)                                   {}
func (*channel) reply(protocol.Reply, uint64, []byte) error { return errNoChannel }
