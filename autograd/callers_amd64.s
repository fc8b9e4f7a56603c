#include "textflag.h"

// func returnAddresses(pcs []uintptr) int
//
// BP points to the frame of the caller: to the BP of the frame above, and to the
// address to return to behind it. A frame that does not lie a little above the
// one before ends the walk: it is not Go's.
TEXT ·returnAddresses(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ pcs_base+0(FP), DI
	MOVQ pcs_len+8(FP), CX
	XORQ AX, AX
	MOVQ BP, SI

next:
	CMPQ AX, CX
	JGE  done
	MOVQ 8(SI), DX
	MOVQ DX, (DI)(AX*8)
	INCQ AX
	MOVQ SI, DX
	MOVQ (SI), SI
	MOVQ SI, BX
	SUBQ DX, BX
	JLS  done
	CMPQ BX, $0x100000
	JLS  next

done:
	MOVQ AX, ret+24(FP)
	RET
