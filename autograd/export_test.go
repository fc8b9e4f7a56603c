package autograd

// SameMemory reports whether two tensors begin at the same place of the same
// memory, as comparing data_ptr() does.
func SameMemory(a, b *Tensor) bool { return a.st == b.st && a.offset == b.offset }
