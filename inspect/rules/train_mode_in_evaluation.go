package rules

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var trainModeInEvaluation = inspect.Rule{
	Code:     "train-mode-in-evaluation",
	Severity: inspect.SeverityWarning,
	Title:    "A module is evaluated in training mode, as nothing calls eval().",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &judged{
			check: check, starts: unsteppedOf(check.History), result: map[graph.TensorID]verdict{}, sites: map[[2]graph.StackID]*evaluation{},
			trained: map[graph.TensorID]bool{}, asleep: map[graph.TensorID]bool{}, running: map[graph.ThreadID]*evaluation{},
			training: map[place]bool{}, knows: modalOf(check.History),
			nodes: map[graph.NodeID]*evaluation{}, judging: map[place]bool{},
		}
	},
}

// judged looks for forward passes that no backward pass goes through, without grad mode or not, whose results
// are compared with targets and become numbers, while layers that depend on the mode are in training mode. A result that goes
// on into training, or that is shown without being compared, may be meant: what a generator
// made for its discriminator, a teacher, samples, updates of running averages.
type judged struct {
	check   *inspect.Checker
	starts  *unstepped
	result  map[graph.TensorID]verdict       // what was computed in such a pass
	sites   map[[2]graph.StackID]*evaluation // by the first operation and the comparison
	order   []*evaluation                    // of sites
	running map[graph.ThreadID]*evaluation   // the passes that run
	trained map[graph.TensorID]bool          // parameters that a step changed, or that got values after steps
	asleep  map[graph.TensorID]bool          // parameters of modules that were judged in evaluation mode
	judging map[place]bool                   // the lines that judged them
	train   visit                            // the last call of train()
	since   []*evaluation                    // the evaluations that began after it
	step    visit                            // the last step

	knows    *modal
	nodes    map[graph.NodeID]*evaluation // nodes that passes with grad mode have made: what they began with, and losses
	training map[place]bool               // the lines of calls of train() that steps came after
}

// mostJudged is how many of the parameters that a pass in evaluation mode has read are noted.
const mostJudged = 1 << 10

// A place is a line of the program.
type place struct {
	file string
	line int
}

// A verdict says in which evaluation a tensor was computed, whether the scores have become
// decisions, and whether targets went into it.
type verdict struct {
	in       *evaluation
	compared bool
	decided  bool
	named    bool // the scores have become classes
	differs  bool // it is the difference from something else
}

// combines are the operations that put the results of several passes together, as for an ensemble or samples.
var combines = map[string]bool{"stack": true, "add": true, "mul": true, "maximum": true}

// mostNodes is how many nodes of a pass are watched: one is run by any backward pass through it.
const mostNodes = 16

// decides are the operations that make decisions of scores.
var decides = map[string]bool{"argmax": true, "argmin": true, "gt": true, "ge": true, "lt": true, "le": true, "round": true, "topk": true, "max": true}

// An evaluation is a forward pass without grad mode, or one that no backward pass went through.
type evaluation struct {
	at, off  graph.Pos     // when it began, and where grad mode had been switched off; off is -1 if it was not
	stack    graph.StackID // of its first operation
	compared graph.StackID // where its results were compared; 0: nowhere
	class    string
	awake    bool          // a layer depends on the mode, in training mode
	trained  bool          // a parameter was trained before
	nodes    int           // how many of its nodes are watched
	fresh    bool          // a trained parameter was never judged in evaluation mode
	asked    visit         // the call of train() since the last step, for this pass; at 0: none
	served   bool          // the same call was for steps, too
	shared   bool          // another call of that line was for steps, and nothing asks for training mode here
	read     bool          // the results became numbers
	trains   bool          // the results went into training
	graph    bool          // grad mode is on
	sampled  bool          // its results were combined with the results of other passes
	shown    bool          // its results were not compared, but the classes that they name became numbers
	same     []*evaluation // the others of these lines

	weights bool             // it has read a parameter
	proper  bool             // it is in evaluation mode
	reads   []graph.TensorID // if it is: the trained parameters that it read
	also    bool             // its results were compared at a line that has judged in evaluation mode
}

// wrong reports whether it is an evaluation in training mode that is not meant.
func (e *evaluation) wrong() bool {
	return e.awake && e.trained && !e.meant() && e.read
}

// meant reports whether the program asked for training mode, or uses the results for training.
func (e *evaluation) meant() bool {
	return e.trained && !e.fresh && !(e.also && !e.sampled) || e.trains || e.asked.at > 0 && !e.shared
}

// Event follows results.
func (w *judged) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.starts.Event(p, head, e)
	switch e := e.(type) {
	case *graph.Called:
		if w.check.Tape().String(e.Function) == "Module.train" {
			w.train, w.since = visit{p, head.Stack}, nil
		}
	case *graph.OptimizerStepped:
		if e.Done {
			w.step = visit{p, head.Stack}
			if w.train.at > 0 {
				w.training[w.line(w.train.stack)] = true
			}
			for _, in := range w.since {
				in.served = true
			}
			w.since = nil
			for _, t := range e.Params {
				w.trained[t] = true
			}
		}
	case *graph.ModuleEntered:
		w.enter(p, head, e)
	case *graph.ModuleLeft:
		if w.check.Graph().ModuleOf(head.Thread) == 0 {
			delete(w.running, head.Thread)
		}
	case *graph.OpRan:
		w.averages(p, e)
		w.ran(head, e)
	case *graph.LineageCut:
		if e.Output == 0 {
			for _, t := range e.Inputs {
				v, ok := w.result[t]
				if ok && v.in.proper && len(significant(w.check.Tensor(t).Shape)) > 0 {
					w.judges(v.in, head.Stack)
				}
				if ok && !v.in.proper && v.named && !v.compared && !v.in.sampled && v.in.compared == 0 && len(significant(w.check.Tensor(t).Shape)) > 0 {
					v.in.shown, v.compared = true, true
					w.compare(v.in, head.Stack)
				}
				if ok && v.compared {
					v.in.read = true
				}
			}
		}
	case *graph.BackwardBegan:
		for _, r := range e.Roots {
			if v, ok := w.result[r.Tensor]; ok {
				v.in.trains = true
			}
		}
	case *graph.NodeExecuted:
		if in := w.nodes[e.Node]; in != nil {
			in.trains = true
			delete(w.nodes, e.Node)
		}
	case *graph.TensorReleased:
		delete(w.result, e.Tensor)
	}
}

// averages notes parameters that get values of trained ones, or given ones, after steps: copies, averages.
func (w *judged) averages(p graph.Pos, e *graph.OpRan) {
	if w.step.at == 0 || len(e.Mutated) == 0 {
		return
	}
	if op := w.check.OpAt(p); op == nil || op.Step >= 0 || op.Pass != 0 {
		return
	}
	for _, t := range e.Mutated {
		leaf, ok := w.parameter(t)
		if !ok || w.trained[leaf] {
			continue
		}
		for _, in := range e.Inputs {
			if in == 0 || in == t {
				continue
			}
			if from, own := w.starts.origin(in, leaf); !own && from != initial {
				w.trained[leaf] = true
			}
		}
	}
}

// parameter returns the parameter whose memory a tensor shares, which may be the tensor.
func (w *judged) parameter(id graph.TensorID) (graph.TensorID, bool) {
	for _, t := range w.check.Sharing(w.check.Tensor(id).Storage) {
		if w.check.Tensor(t).Flags&graph.FlagParameter != 0 {
			return t, true
		}
	}
	return 0, false
}

func (w *judged) enter(p graph.Pos, head graph.Header, e *graph.ModuleEntered) {
	g := w.check.Graph()
	if g.ModuleOuter(g.ModuleOf(head.Thread)) == 0 {
		delete(w.running, head.Thread)
		if e.Mode == graph.ModeEvaluation {
			w.running[head.Thread] = &evaluation{at: p, off: -1, proper: true}
		}
		if e.Mode != graph.ModeTraining {
			return
		}
		in := &evaluation{at: p, off: -1, class: w.check.Tape().String(e.Type)}
		in.graph = g.ModeOn(head.Thread, graph.GradMode) && !g.ModeOn(head.Thread, graph.InferenceMode)
		if w.train.at > w.step.at && w.step.at > 0 {
			in.asked = w.train
			w.since = append(w.since, in)
		}
		w.running[head.Thread] = in
	}
	if in := w.running[head.Thread]; in != nil && !in.proper && e.Mode == graph.ModeTraining && dependsOnMode(w.check.Tape().String(e.Type)) {
		in.awake = true
	}
}

// ran hands on what the inputs of an operation are to its results.
func (w *judged) ran(head graph.Header, e *graph.OpRan) {
	ops := w.check.Ops()
	op := ops.At(ops.Len() - 1)
	name := w.check.Tape().String(e.Op)
	found, others := verdict{}, false
	sure, beside := verdict{}, false // of passes in evaluation mode; whether there is something else
	for _, t := range e.Inputs {
		v, ok := w.result[t]
		switch {
		case !ok:
			other := t != 0 && w.check.Tensor(t).Flags&graph.FlagNumber == 0
			others, beside = others || other, beside || other
		case v.in.proper:
			others, beside = true, beside || sure.in != nil && sure.in != v.in
			sure = verdict{in: v.in, decided: sure.decided || v.decided}
		default:
			beside = true
			if op.Node != 0 && !v.in.graph {
				v.in.trains = true
				continue
			}
			if combines[name] && found.in != nil && found.in != v.in && found.in.weights && v.in.weights {
				v.in.sampled, found.in.sampled = true, true
			}
			found = verdict{
				in: v.in, compared: found.compared || v.compared, decided: found.decided || v.decided, named: found.named || v.named,
				differs: found.differs || v.differs,
			}
		}
	}
	in := w.running[head.Thread]
	weights := slices.ContainsFunc(e.Inputs, func(t graph.TensorID) bool { return w.check.Tensor(t).Flags&graph.FlagParameter != 0 })
	before := found.in
	if before == nil {
		before = sure.in
	}
	if in != nil && before != nil && in != before && (judges(name) || !in.weights && !weights) {
		in = nil // a loss that is a module
	} else if in != nil {
		in.weights = in.weights || weights
	}
	if sure.in != nil && in != sure.in && beside && (judges(name) || sure.decided || decides[name] || name == "sub" || name == "rsub") {
		w.judges(sure.in, head.Stack)
	}
	if found.in == nil {
		found = sure
	}
	if in != nil && in.proper {
		for _, t := range e.Inputs {
			if w.trained[t] && !w.asleep[t] && len(in.reads) < mostJudged && !slices.Contains(in.reads, t) {
				in.reads = append(in.reads, t)
			}
		}
		if found.in == nil {
			found.in = in
		}
		in = nil
	} else if in != nil && (op.Off >= 0 || in.graph) {
		if in.stack == 0 {
			in.off, in.stack = op.Off, head.Stack
		}
		if in.graph && in.nodes < mostNodes {
			w.watch(op.Node, in)
		}
		for _, t := range e.Inputs {
			in.trained = in.trained || w.trained[t]
			in.fresh = in.fresh || w.trained[t] && !w.asleep[t]
		}
		in.awake = in.awake || drops(w.check.Tape(), e) || w.knows.writes(head.Stack, e, in.at) || w.asks(head)
		found.in = in
	}
	if found.in == nil {
		return
	}
	found.decided = found.decided || decides[name]
	found.named = found.named || name == "argmax"
	wrong := found.differs && distances[name]
	found.differs = in == nil && others && (name == "sub" || name == "rsub") && w.alike(e)
	if !found.compared && !found.in.proper && in == nil && (others && (judges(name) || found.decided) || wrong) {
		found.compared = true
		w.compare(found.in, head.Stack)
		w.watch(op.Node, found.in)
	}
	for _, t := range e.Outputs {
		if !slices.Contains(e.Mutated, t) { // running averages are no results
			w.result[t] = found
		}
	}
}

// asks reports whether a module that runs, in training mode, asks for its mode.
func (w *judged) asks(head graph.Header) bool {
	g := w.check.Graph()
	m, ok := g.Module(g.ModuleOf(head.Thread))
	return ok && m.Mode == graph.ModeTraining && w.knows.inForward(head.Stack)
}

// judges notes what a pass in evaluation mode has judged, and where.
func (w *judged) judges(in *evaluation, stack graph.StackID) {
	w.judging[w.line(stack)] = true
	for _, t := range in.reads {
		w.asleep[t] = true
	}
	in.reads = nil
}

// watch notes a node of a pass.
func (w *judged) watch(node graph.NodeID, of *evaluation) {
	const most = 1 << 15 // nodes that may still run
	if node == 0 {
		return
	}
	if len(w.nodes) == most {
		for _, in := range w.nodes {
			in.trains = true // nothing more is known of it
		}
		clear(w.nodes)
	}
	of.nodes++
	w.nodes[node] = of
}

// distances are the operations that make a distance of a difference.
var distances = map[string]bool{"abs": true, "square": true, "pow": true, "norm": true, "linalg_vector_norm": true}

// alike reports whether the operands of an operation have the same shape.
func (w *judged) alike(e *graph.OpRan) bool {
	return len(e.Inputs) > 1 && e.Inputs[1] != 0 && slices.Equal(w.check.Tensor(e.Inputs[0]).Shape, w.check.Tensor(e.Inputs[1]).Shape)
}

// compare notes where the results of an evaluation are compared first. Evaluations of one line
// are one.
func (w *judged) compare(in *evaluation, stack graph.StackID) {
	if in.compared != 0 {
		return
	}
	in.compared = stack
	key := [2]graph.StackID{in.stack, stack}
	if known := w.sites[key]; known != nil {
		if known.trains || len(known.same) > 0 && known.same[len(known.same)-1].trains {
			return // it is a part of the training
		}
		known.same = append(known.same, in)
		return
	}
	w.sites[key] = in
	w.order = append(w.order, in)
}

// line returns the line of the program that a call stack is at.
func (w *judged) line(stack graph.StackID) place {
	f := w.check.In(stack, -1, "").Frame
	return place{f.File, f.Line}
}

// shares reports whether a function that trains and evaluates has called train() for an evaluation as
// it does for the training. A function that calls train() for its caller, or the call of an epoch that is
// evaluated before its first step, may be meant.
func (w *judged) shares(e *evaluation) bool {
	if e.asked.at == 0 || e.served || !w.training[w.line(e.asked.stack)] {
		return false
	}
	call := w.check.In(e.asked.stack, -1, "").Frame
	return slices.ContainsFunc(w.check.Tape().Stack(e.stack), func(f graph.Frame) bool {
		return f.File == call.File && f.Func == call.Func
	})
}

// during reports whether the function of a frame runs at a call stack.
func (w *judged) during(at graph.Frame, stack graph.StackID) bool {
	return slices.ContainsFunc(w.check.Tape().Stack(stack), func(f graph.Frame) bool { return f.File == at.File && f.Func == at.Func })
}

// judges reports whether an operation compares its operands.
func judges(op string) bool {
	return op == "eq" || op == "ne" || strings.Contains(op, "loss") || strings.Contains(op, "cross_entropy")
}

// End reports the evaluations in training mode.
func (w *judged) End() {
	for _, in := range w.order {
		all := append([]*evaluation{in}, in.same...)
		for _, e := range all {
			e.shared = w.shares(e)
			e.also = w.judging[w.line(e.compared)]
		}
		i := slices.IndexFunc(all, (*evaluation).wrong)
		if i < 0 || slices.ContainsFunc(all, (*evaluation).meant) {
			continue
		}
		primary := w.check.In(in.stack, in.at, "runs in training mode")
		if f, ok := w.check.Meeting(in.stack, in.compared); ok {
			primary.Frame = f
		}
		if f, ok := w.check.Meeting(in.stack, w.step.stack); ok && w.during(primary.Frame, w.step.stack) {
			primary.Frame = f // the call of a function that trains and evaluates
		}
		var related []inspect.Span
		help := "call .eval() before the evaluation, and .train() before training goes on"
		seen := fact("its parameters were trained before, and eval() was never called for them")
		if asked := all[i].asked; asked.at > 0 {
			related = append(related, primary)
			primary = w.check.In(asked.stack, asked.at, "puts the modules into training mode for the evaluation, too")
			help = "pass the mode: .train(training), with training=False for the evaluation"
			seen = w.check.In(asked.stack, asked.at, "the same line is called before training and before the evaluation")
		}
		compared, became := "its results are compared with targets", "the results are compared, and become numbers"
		if in.shown {
			compared, became = "the classes that it names become numbers", "the classes of several rows become numbers"
		}
		off := facts(fact("no backward pass goes through what it computes"))
		if in.off >= 0 {
			related = append(related, w.check.At(in.off, "the evaluation begins here"))
			off = facts(w.check.At(in.off, "grad mode is off"))
		}
		w.check.Report(inspect.Finding{
			Message: in.class + " is evaluated in training mode: its layers drop elements, use the batch or follow the data",
			Primary: primary,
			Related: append(related,
				w.check.In(in.compared, in.at, compared),
			),
			Help: help,
			Evidence: slices.Concat(facts(
				w.check.In(in.stack, in.at, in.class+" is in training mode, with a layer that depends on the mode"),
				w.check.In(in.compared, in.at, became),
				seen,
			), off),
			Instead: []inspect.Alternative{not("dropout-in-evaluation", "the modules are in training mode")},
			At:      in.at,
			Symptom: -1,
		})
	}
}
