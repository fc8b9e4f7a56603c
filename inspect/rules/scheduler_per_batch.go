package rules

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var schedulerPerBatch = inspect.Rule{
	Code:     "scheduler-per-batch",
	Severity: inspect.SeverityWarning,
	Title:    "A learning rate scheduler that plans in epochs steps in every batch, or the other way round, or its optimizer has been replaced.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &pacedSchedules{check: check, schedules: map[int64]*schedule{}, paces: map[uint32]*pace{}, optimizer: map[graph.TensorID]uint32{}}
	},
}

// pacedSchedules counts the steps of schedulers and of their optimizers.
type pacedSchedules struct {
	check     *inspect.Checker
	schedules map[int64]*schedule // by number
	order     []*schedule
	paces     map[uint32]*pace // of optimizers, by number
	optimizer map[graph.TensorID]uint32
}

// A schedule is a scheduler, what it plans, and how often it stepped.
type schedule struct {
	made    visit
	class   string
	plan    map[string][]float64
	param   graph.TensorID // the first that its optimizer holds
	steps   int
	lines   tally
	repeats int // steps without a step of the optimizer since the last
	seen    int // steps of the optimizer at the last step

	optimizer uint32         // that held the parameter when the scheduler was made; 0: unknown
	before    map[uint32]int // how often optimizers of the parameter had stepped at the last step
	stale     int            // steps since which only an optimizer that was made later has stepped
	last      visit          // the last of these
}

// A pace is what the rate of an optimizer did.
type pace struct {
	steps   int
	lines   tally
	highest float64
	tail    int // of how many last steps the rate was next to nothing
}

// Event counts.
func (w *pacedSchedules) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OptimizerMade:
		for _, t := range e.Params {
			w.optimizer[t] = e.Number
		}
	case *graph.OptimizerStepped:
		if !e.Done && e.Number != 0 {
			w.stepped(p, head, e)
		}
	case *graph.Called:
		if len(e.Settings) == 0 || len(e.Tensors) == 0 || len(e.Settings[0].Ints) == 0 {
			return
		}
		number := e.Settings[0].Ints[0]
		if len(e.Settings) > 1 {
			w.made(visit{p, head.Stack}, number, e)
			return
		}
		s := w.schedules[number]
		if s == nil {
			return
		}
		w.follow(s, visit{p, head.Stack})
		now := 0
		if o := w.paces[w.optimizer[s.param]]; o != nil {
			now = o.steps
		}
		if s.steps > 0 && now == s.seen {
			s.repeats++
		}
		s.steps++
		s.seen = now
		s.lines.add(head.Stack, p)
	}
}

func (w *pacedSchedules) stepped(p graph.Pos, head graph.Header, e *graph.OptimizerStepped) {
	o := w.paces[e.Number]
	if o == nil {
		o = &pace{}
		w.paces[e.Number] = o
	}
	o.steps++
	o.lines.add(head.Stack, p)
	if len(e.Rates) == 0 || math.IsNaN(e.Rates[0]) {
		return
	}
	const nothing = 0.01 // of the highest rate
	o.highest = max(o.highest, e.Rates[0])
	if o.tail++; e.Rates[0] >= nothing*o.highest {
		o.tail = 0
	}
}

// follow notes whether the optimizer of a scheduler has stepped since its last step, or one that took its place.
func (w *pacedSchedules) follow(s *schedule, here visit) {
	since := func(number uint32) int {
		n := 0
		if o := w.paces[number]; o != nil {
			n = o.steps
		}
		before := s.before[number]
		s.before[number] = n
		return n - before
	}
	own, later := since(s.optimizer), w.optimizer[s.param]
	if s.optimizer != 0 && later != s.optimizer && since(later) > 0 && own == 0 {
		s.stale++
		s.last = here
	}
}

// replaced reports a scheduler whose optimizer does not step any more, as another one has its parameters.
func (w *pacedSchedules) replaced(s *schedule) bool {
	const often = 2
	i := slices.IndexFunc(w.check.Optimizers(), func(o inspect.Params) bool { return o.Number == w.optimizer[s.param] })
	if s.stale < often || i < 0 {
		return false
	}
	made := w.check.Optimizers()[i]
	later := w.check.In(made.Stack, made.At, "this optimizer has the parameters now")
	w.check.Report(inspect.Finding{
		Message: fmt.Sprintf("the scheduler changes the rate of an optimizer that does not step any more: a later %s has its parameters", made.Class),
		Primary: w.check.In(s.made.stack, s.made.at, "made for the earlier optimizer"),
		Related: []inspect.Span{later, w.check.In(s.last.stack, s.last.at, "steps the schedule")},
		Help:    "make the scheduler again, for the new optimizer",
		Evidence: facts(
			later,
			w.check.In(s.last.stack, s.last.at, fmt.Sprintf("before %s of the scheduler only the later optimizer had stepped", several(s.stale, "step"))),
		),
		At:      s.last.at,
		Symptom: -1,
	})
	return true
}

// made notes a scheduler; one that begins again keeps its steps.
func (w *pacedSchedules) made(here visit, number int64, e *graph.Called) {
	if w.schedules[number] != nil {
		return
	}
	s := &schedule{made: here, plan: map[string][]float64{}, param: e.Tensors[0], before: map[uint32]int{}}
	s.optimizer = w.optimizer[s.param]
	for _, a := range e.Settings[1:] {
		values := slices.Clone(a.Floats)
		for _, n := range a.Ints {
			values = append(values, float64(n))
		}
		if name := w.check.Tape().String(a.Name); name == "class" {
			s.class = a.Text
		} else {
			s.plan[name] = values
		}
	}
	w.schedules[number] = s
	w.order = append(w.order, s)
}

// number returns one number of the plan, 0 if there is none.
func (s *schedule) number(name string) float64 {
	if v := s.plan[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return 0
}

// horizon returns how many steps a scheduler plans in all, 0 if it does not say.
func (s *schedule) horizon() float64 {
	return max(s.number("total_steps"), s.number("T_max"), s.number("total_iters"))
}

// End compares plans with what happened.
func (w *pacedSchedules) End() {
	const enough = 4 // steps of the scheduler, or of the optimizer
	for _, s := range w.order {
		o := w.paces[w.optimizer[s.param]]
		if w.replaced(s) {
			continue
		}
		if o == nil || max(s.steps, o.steps) < enough || s.steps < 2 || o.steps < 2 {
			continue
		}
		stack, at, _ := s.lines.most()
		stepStack, stepAt, _ := o.lines.most()
		nest, steps := w.check.Loops(stack), w.check.Loops(stepStack)
		both := common(nest, steps)
		f := inspect.Finding{
			Primary: w.check.In(stack, at, "steps the schedule"),
			Related: []inspect.Span{
				w.check.In(s.made.stack, s.made.at, "the schedule is made here"),
				w.check.In(stepStack, stepAt, "the optimizer steps here"),
			},
			At:      at,
			Symptom: -1,
			Evidence: facts(
				w.check.In(stack, at, fmt.Sprintf("the scheduler steps %s", times(s.steps))),
				w.check.In(stepStack, stepAt, fmt.Sprintf("its optimizer steps %s", times(o.steps))),
			),
		}
		if h := s.horizon(); h > 0 {
			f.Evidence = append(f.Evidence, facts(w.check.In(s.made.stack, s.made.at, fmt.Sprintf("%s plans %.0f steps", s.class, h)))...)
		}
		per := float64(s.steps) / float64(o.steps)
		switch {
		case per >= 1.9 && inside(nest, steps) && s.horizon() < float64(s.steps) && s.repeats >= s.steps-o.steps-1:
			f.Message = fmt.Sprintf("the scheduler steps %.0f times for each step of the optimizer", per)
			f.Help = "call scheduler.step() where optimizer.step() is called, after it"
		case per > 0.75 && per < 1.3 && len(both) > 1:
			epochs := w.turns(s, both)
			f.Evidence = append(f.Evidence, facts(fact("the loop around the batches turns %s", times(epochs)))...)
			f.Message = s.tooFast(epochs, o)
			if f.Message == "" && epochs > 1 && s.steps >= 2*epochs && w.ofEpochs(s) {
				f.Message = fmt.Sprintf("the scheduler steps in every batch, %d times in %d epochs: its function is one of the epoch", s.steps, epochs)
			}
			f.Help = "call scheduler.step() once per epoch, after the loop over the batches, or give the scheduler its numbers in batches"
		case per <= 0.5 && s.class == "OneCycleLR" && inside(steps, nest) && math.Abs(s.horizon()-float64(o.steps)) < 2:
			f.Message = fmt.Sprintf("the scheduler plans %.0f steps, one for each batch, and steps %d times", s.horizon(), s.steps)
			f.Help = "call scheduler.step() after each optimizer.step()"
		}
		if f.Message != "" {
			w.check.Report(f)
		}
	}
}

var (
	ofEpoch = regexp.MustCompile(`\blambda\s+ep(och)?\b`)
	ofSteps = regexp.MustCompile(`step|iter|batch|len\(`)
	takes   = regexp.MustCompile(`LR\(\s*[\w.]+\s*,\s*(?:lr_lambda\s*=\s*)?(\w+)`)
)

// ofEpochs reports whether the function of a scheduler takes an epoch, by its name, and speaks of
// nothing else.
func (w *pacedSchedules) ofEpochs(s *schedule) bool {
	if s.class != "LambdaLR" && s.class != "MultiplicativeLR" {
		return false
	}
	made := w.check.In(s.made.stack, s.made.at, "").Frame
	text := w.check.Text(made)
	if m := takes.FindStringSubmatch(text); m != nil {
		defined := regexp.MustCompile(`^\s*def\s+` + regexp.QuoteMeta(m[1]) + `\(\s*ep(och)?\b`)
		if line, ok := w.check.Find(made.File, 1, len(w.check.Source(made.File)), defined); ok {
			for n := line; n <= w.check.BlockEnd(made.File, line); n++ {
				if ofSteps.MatchString(w.check.LineText(made.File, n)) {
					return false
				}
			}
			return true
		}
	}
	return ofEpoch.MatchString(text) && !ofSteps.MatchString(text)
}

// common returns the loops that code in some loops and other code are both in. A loop over callbacks or
// optimizers may be around one of them.
func common(a, b []inspect.Loop) []inspect.Loop {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// inside reports whether code in some loops is in all the loops of other code, and in one more.
func inside(nest, outer []inspect.Loop) bool {
	return len(nest) > len(outer) && slices.Equal(nest[:len(outer)], outer)
}

// tooFast says what is wrong with a schedule that steps in every batch; "": nothing that shows.
func (s *schedule) tooFast(epochs int, o *pace) string {
	if epochs < 2 || s.steps < 2*epochs {
		return ""
	}
	const fades, little = 0.25, 0.9 // what is left in the end, and after one change
	steps, turns := float64(s.steps), float64(epochs)
	gamma, falls := s.number("gamma"), 0.0
	switch s.class {
	case "StepLR":
		if size := s.number("step_size"); size >= 1 && size <= turns && gamma <= little {
			falls = math.Floor((steps - 1) / size)
		}
	case "MultiStepLR":
		if last := s.number("milestones"); last >= 1 && last <= turns && gamma <= little {
			falls = float64(len(s.plan["milestones"]))
		}
		if falls > 0 {
			return fmt.Sprintf("the scheduler steps in every batch: its milestones, which suit %d epochs, are over after %.0f batches", epochs, s.number("milestones"))
		}
	case "ExponentialLR":
		if gamma <= 0.95 {
			falls = steps
		}
	case "CosineAnnealingLR", "PolynomialLR", "LinearLR":
		if h := s.horizon(); ends(s) && h >= turns && h <= 3*turns && steps > 1.2*h && (h == turns || math.Mod(h*turns, steps) != 0) {
			return fmt.Sprintf("the scheduler steps in every batch: its plan for %.0f steps, which suits %d epochs, is over after %.0f batches", h, epochs, h)
		}
	}
	if falls > 0 && gamma > 0 && math.Pow(gamma, falls) <= fades {
		return fmt.Sprintf("the scheduler steps in every batch: the learning rate is multiplied by %.2g in %d epochs", math.Pow(gamma, falls), epochs)
	}
	if 2*o.tail > o.steps && s.class != "OneCycleLR" {
		return fmt.Sprintf("the scheduler steps in every batch: the learning rate is next to nothing in the last %d of %d steps", o.tail, o.steps)
	}
	return ""
}

// ends reports whether a schedule comes to an end at its horizon.
func ends(s *schedule) bool {
	return s.class != "LinearLR" || s.number("end_factor") < s.number("start_factor")
}

var (
	counted  = regexp.MustCompile(`\brange\(\s*(\w+)\s*\)`)
	assigned = `(?:^\s*|[(,]\s*)%s\s*(?::\s*int\s*)?=\s*(\d+)\b`
)

// turns returns how often the loop around the innermost loop of a scheduler was repeated for this
// scheduler; 0: unknown. It goes by the call stacks that are in the outer loop only, or else by
// the source.
func (w *pacedSchedules) turns(of *schedule, nest []inspect.Loop) int {
	outer := nest[:len(nest)-1]
	times, steps, alike := map[int]int{}, 0, 0
	for _, s := range w.order { // made in a loop, as one for each fold
		if s.made.stack == of.made.stack && s.steps > 0 {
			steps += s.steps
			alike++
		}
	}
	for s := range w.check.CallStacks() {
		if n := w.check.Visits(s); n > 1 && 2*n <= steps && slices.Equal(w.check.Loops(s), outer) {
			times[n]++
		}
	}
	best := 0
	for n, stacks := range times {
		if stacks > times[best] || stacks == times[best] && n < best {
			best = n
		}
	}
	if best > 0 {
		return best / alike
	}
	loop := outer[len(outer)-1]
	m := counted.FindStringSubmatch(w.check.LineText(loop.File, loop.Line))
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return w.assigned(loop.File, m[1])
	}
	return n
}

// assigned returns the whole number that a file assigns to a name, or gives to a parameter; 0: none, or
// several.
func (w *pacedSchedules) assigned(file, name string) (n int) {
	pattern := regexp.MustCompile(fmt.Sprintf(assigned, regexp.QuoteMeta(name)))
	for line := 1; line <= len(w.check.Source(file)); line++ {
		m := pattern.FindStringSubmatch(w.check.LineText(file, line))
		if m == nil {
			continue
		}
		value, err := strconv.Atoi(m[1])
		if err != nil || n != 0 && n != value {
			return 0
		}
		n = value
	}
	return n
}
