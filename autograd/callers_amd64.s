#include "textflag.h"

// func returnAddresses(pcs []uintptr) int
//
// BP points to the frame of the caller: to the BP of the frame above, and to the
// address to return to behind it. Three things make this safe whatever BP is:
//
//   - Nothing is read outside of the goroutine's stack: a frame must lie above
//     the one before, the first above SP, and its two words below the end of the
//     stack, g.stack.hi. A frame that does not ends the walk; the outermost one
//     of a goroutine does, its BP is 0. Each step goes up, so the walk ends.
//   - The stack does not move meanwhile: NOSPLIT keeps it from growing, and the
//     runtime does not preempt assembly, nor shrink the stack of a goroutine
//     that runs.
//   - No more than len(pcs) words are stored.
//
// A walk that ends before the outermost frame, as it does below a call from C,
// counts for nothing.
TEXT ·returnAddresses(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ pcs_base+0(FP), DI
	MOVQ pcs_len+8(FP), CX
	MOVQ (TLS), R8
	MOVQ 8(R8), R8 // g.stack.hi
	SUBQ $16, R8
	XORQ AX, AX
	MOVQ SP, DX
	MOVQ BP, SI

next:
	CMPQ AX, CX
	JGE  done
	CMPQ SI, DX
	JLS  done
	CMPQ SI, R8
	JHI  done
	MOVQ 8(SI), BX
	MOVQ BX, (DI)(AX*8)
	INCQ AX
	MOVQ SI, DX
	MOVQ (SI), SI
	JMP  next

done:
	CMPQ AX, CX
	JGE  whole
	TESTQ SI, SI
	JZ   whole
	XORQ AX, AX

whole:
	MOVQ AX, ret+24(FP)
	RET

// func stackBounds() (lo, hi uintptr)
TEXT ·stackBounds(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ 0(AX), BX // g.stack.lo
	MOVQ BX, lo+0(FP)
	MOVQ 8(AX), BX // g.stack.hi
	MOVQ BX, hi+8(FP)
	RET
