package schemadoc

import (
	"strings"
	"testing"
)

func TestOnlyWhatTheSchemaNamesIsValid(t *testing.T) {
	const (
		schema = "../../../docs/use/diff.schema.json"
		whole  = `{"format":"gradtui-diff","version":1,"a":"a.tape","b":"b.tape","same":false,
			"totals":[{"what":"ops","a":1,"b":2}],"nodes":[],"tensors":[],"values":[],
			"edges":[{"file":"a.py","line":3,"from":"MulBackward0","input":0,"to":"AccumulateGrad","a":1,"b":0}]}`
	)
	if err := Validate(schema, whole); err != nil {
		t.Error(err)
	}
	for old, replacement := range map[string]string{
		`"same":false`:           `"same":false,"new":1`, // a field without a name in the schema
		`"version":1,`:           ``,
		`"version":1`:            `"version":2`,
		`"what":"ops"`:           `"what":"things"`,
		`"line":3`:               `"line":0`,
		`"file":"a.py"`:          `"file":null`,
		`"nodes":[]`:             `"nodes":null`,
		`"totals":[`:             `"totals":[1,`,
		`"to":"AccumulateGrad",`: `"to":"AccumulateGrad","new":true,`,
	} {
		if text := strings.Replace(whole, old, replacement, 1); Validate(schema, text) == nil {
			t.Errorf("%s is valid with %s", schema, replacement)
		}
	}
}
