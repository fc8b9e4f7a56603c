// Command stranger does not use package autograd.
package main

import "os"

func main() { os.Exit(4) }
