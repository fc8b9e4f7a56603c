// Package story puts together all that is known about one tensor: what made it, changed it, read
// it and saved it, its gradient or where the path to it breaks, what keeps it alive. Begin with
// [Of].
package story
