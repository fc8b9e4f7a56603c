package autograd

import (
	"flag"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var gradcheckRun = flag.String("gradcheck", "", "check only the entries of the table whose name matches this expression")

// TestDerivativesOfTheTableAgreeWithFiniteDifferences checks the derivative of
// every entry of the operator table that has one.
func TestDerivativesOfTheTableAgreeWithFiniteDifferences(t *testing.T) {
	only := regexp.MustCompile(*gradcheckRun)
	defer quiet()()
	for _, o := range Ops() {
		if o.Compose == nil && o.Node == "" || !only.MatchString(opKey(o)) {
			continue
		}
		t.Run(opKey(o), func(t *testing.T) { checkEntry(t, o) })
	}
}

// quiet drops warnings until restore is called.
func quiet() (restore func()) {
	before := OnWarning
	OnWarning = func(Warning) {}
	return func() { OnWarning = before }
}

func checkEntry(t *testing.T, o *Op) {
	list, written, err := samplesOf(o)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case constantResults[opKey(o)] != "" || insideOthers[opKey(o)] != "" || implicit[opKey(o)]:
		return
	case len(list) == 0:
		t.Fatalf("%s has a gradient but no sample to check it: write a sample", o.schema.Name)
	case raising[opKey(o)] != "":
		checkRaises(t, list[0], raising[opKey(o)])
		return
	}
	for i, s := range list {
		checkSample(t, s, i > 0 && (!written || s.variant))
	}
}

// checkSample checks a sample. It reports whether this was possible.
func checkSample(t *testing.T, s *opSample, mayNotFit bool) {
	if err := ManualSeed(2); err != nil { // GradGradCheck draws from the generator
		t.Fatal(err)
	}
	f, in := s.function(), s.inputs()
	outs := f(in)
	if why := misfit(outs); why != "" {
		if !mayNotFit || strings.Contains(why, "internal error") {
			t.Errorf("%s: %s", s, why)
		}
		return
	}
	if len(differentiableOf(outs)) == 0 {
		t.Errorf("%s: the result does not require grad", s)
		return
	}
	if zeroByDesign[opKey(s.op)] {
		checkZeroGradient(t, s, f, in)
		return
	}
	s.checkEachAlone(t, in)
	if coarse[opKey(s.op)].Eps == 0 {
		s.checkLayouts(t, in)
	}
	o := coarse[opKey(s.op)]
	forward := o
	forward.Forward, forward.SkipBackward = true, true
	backward := s.expect(t, "gradient", GradCheck(f, in, o))
	if s.hasTangents() && s.expect(t, "forward mode", GradCheck(f, in, forward)) && backward && o.Eps == 0 {
		s.checkAdjoint(t, f, in)
	}
	if !backward || firstOnly[opKey(s.op)] {
		return
	}
	if s.expect(t, "second derivative", GradGradCheck(f, in, nil, o)) && s.hasTangents() {
		s.expect(t, "forward mode over backward", GradGradCheck(f, in, nil, forward))
	}
}

// hasTangents reports whether forward mode computes a tangent for the result.
func (s *opSample) hasTangents() bool {
	without := lostTangents[opKey(s.op)]
	return without == "" || !strings.Contains(s.text, without)
}

// misfit says what is wrong with the results of a sample, or returns "".
func misfit(outs []*Tensor) string {
	for _, out := range outs {
		switch {
		case out.err != nil:
			return out.err.Error()
		case out.requiresGrad() && slices.ContainsFunc(out.Float64s(), func(x float64) bool { return x-x != 0 }):
			return "the arguments are outside the domain: the result is " + out.String()
		}
	}
	return ""
}

var (
	lacksForward  = regexp.MustCompile(`Trying to use forward AD with (?:aten::)?(\S+) that does not support it`)
	lacksBackward = regexp.MustCompile(`NotImplementedError: the derivative for '(.+)' is not implemented\.|RuntimeError: derivative for (?:aten::)?(\S+) is not implemented`)
)

// expect reports whether there was no error. An error for a derivative that
// PyTorch does not implement is expected for the operators without one.
func (s *opSample) expect(t *testing.T, what string, err error) bool {
	if err == nil {
		return true
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if m := lacksForward.FindStringSubmatch(first); m != nil && (withoutForward[m[1]] || underivable[m[1]]) {
		return false
	}
	if m := lacksBackward.FindStringSubmatch(first); m != nil && underivable[strings.TrimSuffix(m[1]+m[2], "_")] {
		return false
	}
	t.Errorf("%s: %s: %s", s, what, first)
	return false
}

// checkRaises requires an error from the call or from its backward.
func checkRaises(t *testing.T, s *opSample, words string) {
	in := s.inputs()
	out := s.function()(in)[0]
	err := out.Err()
	if err == nil {
		_, err = Grad([]*Tensor{out.Sum()}, in)
	}
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: the error is %v, not about %q", s, err, words)
	}
}

func checkZeroGradient(t *testing.T, s *opSample, f func(in []*Tensor) []*Tensor, in []*Tensor) {
	grads, err := Grad([]*Tensor{f(in)[0].Sum()}, in)
	if err != nil {
		t.Errorf("%s: %v", s, err)
	}
	for _, g := range grads {
		if !allZero(g) {
			t.Errorf("%s: the gradient is %v, not zero", s, g)
		}
	}
}

// TestTablesOfTheGradientCheckAreCurrent requires every exception to name an
// existing entry that needs it.
func TestTablesOfTheGradientCheckAreCurrent(t *testing.T) {
	defer quiet()()
	entries := map[string]*Op{}
	missing := maps.Clone(withoutForward)
	for _, o := range Ops() {
		name := o.schema.Name
		if entries[opKey(o)] != nil {
			t.Errorf("two entries are called %s", opKey(o))
		}
		entries[opKey(o)] = o
		if len(o.VJP) > 0 && o.JVP == nil {
			delete(missing, name)
			if !withoutForward[name] {
				t.Errorf("%s has a derivative but no forward mode", name)
			}
		}
		if o.Node == notImplemented && !underivable[name] {
			t.Errorf("%s has no derivative", name)
		}
	}
	for name := range missing {
		t.Errorf("%s has forward mode, or is not an operator", name)
	}
	for _, names := range []iter.Seq[string]{
		maps.Keys(writtenSamples), maps.Keys(sampleDomains), maps.Keys(constantResults), maps.Keys(insideOthers), maps.Values(insideOthers),
		maps.Keys(raising), maps.Keys(lostTangents), maps.Keys(zeroByDesign), maps.Keys(firstOnly), maps.Keys(viewsOfSaved), maps.Keys(coarse),
	} {
		for name := range names {
			if entries[name] == nil {
				t.Errorf("there is no operator %s", name)
			}
		}
	}
	for name := range constantResults {
		checkConstant(t, entries[name])
	}
}

// checkConstant requires results that never require grad.
func checkConstant(t *testing.T, o *Op) {
	if o == nil || o.Compose == nil {
		t.Errorf("%v is not composed of other operators", o)
		return
	}
	eachSample(t, o, func(s *opSample) {
		if len(differentiableOf(s.function()(s.inputs()))) > 0 {
			t.Errorf("%s: the result requires grad", s)
		}
	})
}
