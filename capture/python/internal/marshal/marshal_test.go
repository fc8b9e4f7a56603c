package marshal

import (
	"testing"
)

type plain struct{}

func (plain) Complex(re, im float64) (any, error) { return complex(re, im), nil }
func (plain) Tuple(list []any) (any, error)       { return list, nil }
func (plain) Ellipsis() any                       { return "..." }

func FuzzDecoder(f *testing.F) {
	f.Add([]byte("(\x02\x00\x00\x00i\x01\x00\x00\x00N"))
	f.Add([]byte("[\xff\xff\xff\x7fN"))
	f.Add([]byte("l\x00\x00\x00\x80"))
	f.Add([]byte("{u\x01\x00\x00\x00ag\x00\x00\x00\x00\x00\x00\xf0?0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var d Decoder
		d.Reset(data, plain{})
		for {
			if _, err := d.Value(); err != nil {
				return
			}
		}
	})
}
