package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

// Programs that lie about their gradients, or leave a part of them out, and correct ones. The step is
// the body of a loop; line 6 is the first one of it.
var audited = []struct {
	name, before, step string
	code               int
	want               []string
}{
	{"exact", "", "loss = torch.logsumexp(torch.tanh(x * w) * b, 1).sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{"target", "", "target = (x * w).detach()\nloss = (x * b - target).pow(2).mean()", cli.ExitOK, []string{"on purpose", "6: detach (on purpose)"}},
	{"teacher", "", "with torch.no_grad():\n    target = x * w\nloss = (x * b - target).pow(2).mean()", cli.ExitOK, []string{"7: no_grad (on purpose)"}},
	{"clamped", "", "with torch.no_grad():\n    w.clamp_(-0.5, 0.5)\nloss = (x * w + b).pow(2).sum()", cli.ExitOK, []string{"on purpose"}},
	{"logged", "", "loss = (x * w + b).pow(2).sum()\nprint(loss.item())", cli.ExitOK, []string{"exact: backward delivers"}},
	{"assigned", "", "h = torch.zeros(2)\nh[0] = (x * w).sum()\nh[1] = b.sum()\nloss = h.prod()", cli.ExitOK, []string{"exact: backward delivers"}},

	{"several results", "", "p, q = (x * w).chunk(2, dim=1)\nloss = (p * q.sum() + b.sum()).sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{"group norm", "", "loss = (torch.nn.functional.group_norm(torch.stack([w, b])[None], 1) * x).pow(2).sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{
		"indices", "", "i = torch.tensor([0, 2, 2])\nm = torch.stack([w, b, w * b])\nloss = (w[i] ** 2).sum() + w[w > 0].sum() + m[i, i].sum() + m[1:, i].sin().sum() + m[..., i].cos().sum() + m[None, :, i].exp().sum() + m[i, 1].sum() * m[1, i].sum()",
		cli.ExitOK, []string{"exact: backward delivers"},
	},
	{
		"recurrent layers", "lstm = torch.nn.LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True)\ngru = torch.nn.GRU(4, 2, batch_first=True, bias=False)\ncell = torch.nn.RNNCell(2, 2)", "y, _ = lstm(w.expand(2, 4, 3) * torch.arange(4.)[:, None])\nz, h = gru(y * b[0])\nloss = (cell(z[:, -1], h[-1]) * b[:2]).sum() + h.sum()",
		cli.ExitOK, []string{"exact: backward delivers"},
	},
	{
		"results of each other", "cell = torch.nn.LSTMCell(3, 2)", "h, c = cell(x * w)\nh, c = cell(x * b, (h, c))\nloss = (h * c).sum()",
		cli.ExitOK, []string{"exact: backward delivers"},
	},
	{"norms", "", "loss = (x * w).norm() + b.norm(p=1) + w.norm(dim=0, keepdim=True).sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{
		"an argument left out", "", "loss = torch.nn.functional.binary_cross_entropy_with_logits(w * b, (b > 0).float(), pos_weight=torch.tensor(1.5))",
		cli.ExitOK, []string{"exact: backward delivers"},
	},

	{"a term under no_grad", "", "with torch.no_grad():\n    p = (w ** 2).sum()\nloss = (x * w + b).pow(2).mean() + 0.1 * p", cli.ExitFindings, []string{"gradient-lost", "7: no_grad  p ="}},
	{"data", "", "h = torch.tanh(x * w)\nloss = (h.data * b).sum() + h.sum()", cli.ExitFindings, []string{"gradient-lost", "7: data"}},
	{"item", "", "s = torch.sigmoid(w).mean().item()\nloss = (x * w).sum() * s + b.sum()", cli.ExitFindings, []string{"gradient-lost", "6: item"}},
	{"copied", "", "t = torch.tensor((w * 2).tolist())\nloss = (t * b).sum() + w.sum()", cli.ExitFindings, []string{"gradient-lost", "6: item"}},
	{"written", "", "c = b.clone()\nc.data -= 0.1 * w.exp()\nloss = (c * w).pow(2).sum()", cli.ExitFindings, []string{"gradient-lost", "7: unseen write"}},
	{"a list of tensors", "", "t = torch.tensor([w[0] * 2, w[1], b[0]])\nloss = (t * b).sum() + w.sum()", cli.ExitFindings, []string{"gradient-lost", "6: copy"}},
	{"a new parameter", "", "p = torch.nn.Parameter((w * 2).data)\nloss = (p * b).sum() + w.sum()", cli.ExitFindings, []string{"gradient-lost", "3 leaves", "6: parameter"}},
	{"data assigned", "", "h = torch.zeros(3)\nh.data = (w * 2).data\nloss = (h * b).sum() + w.sum()", cli.ExitFindings, []string{"gradient-lost", "7: data"}},
	{"out", "", "t = torch.empty(3)\nwith torch.no_grad():\n    torch.mul(w, 2, out=t)\nloss = (t * b).sum() + w.sum()", cli.ExitOK, []string{"8: no_grad (on purpose)"}},
	{"a leaf of the step", "", "e = torch.full((3,), 0.5, requires_grad=True)\nloss = (x * w * e).pow(2).sum() + b.sum()", cli.ExitOK, []string{"3 leaves", "exact: backward delivers"}},
	{"a leaf of what was computed", "", "h = (x * w).detach().requires_grad_()\nloss = (h * b).pow(2).sum()", cli.ExitOK, []string{"3 leaves", "6: detach (on purpose)"}},
	{"normalized", "", "with torch.no_grad():\n    w.div_(w.norm())\nloss = (x * w + b).pow(2).sum()", cli.ExitOK, []string{"on purpose"}},
	{
		"computed by Python", "", "s = torch.sigmoid(w).mean().item() ** 2\nloss = (x * w).sum() * s + b.sum()", cli.ExitOK,
		[]string{"exact, as far as it could be followed", "7: a number of Python"},
	},
	{"a multiple in Python", "", "s = torch.sigmoid(w).mean()\nloss = (x * w).sum() + b.sum() + 0.1 * s.item() * (x * b).sum()", cli.ExitFindings, []string{"gradient-lost", "7: item"}},
	{"one minus", "", "s = torch.sigmoid(w).mean()\nloss = (x * w).sum() * (1 - s.item()) + b.sum()", cli.ExitFindings, []string{"gradient-lost", "7: item"}},
	{"nonlinear under no_grad", "", "with torch.no_grad():\n    p = (w.softmax(0) * w.log_softmax(0)).sum()\nloss = (x * w + b).pow(2).mean() + 0.1 * p", cli.ExitFindings, []string{"gradient-lost", "7: no_grad"}},
	{"written through data", "", "h = torch.zeros(2, 3)\nh.data[0] = x[0] * w\nloss = (h * b).pow(2).sum()", cli.ExitFindings, []string{"gradient-lost", "7: unseen write"}},
	{
		"arguments that change nothing", "class Affine(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, s, t):\n        ctx.save_for_backward(x, s)\n        return x * s + t\n    @staticmethod\n    def backward(ctx, g):\n        x, s = ctx.saved_tensors\n        return g * s, (g * x).mean(0), g.mean(0)\nw, b = torch.ones(3, requires_grad=True), torch.zeros(3, requires_grad=True)",
		"loss = Affine.apply(x, w, b).pow(2).sum()", cli.ExitFindings, []string{"gradient-wrong", "AffineBackward, at"},
	},
	{"noise", "", "loss = ((w + 0.1 * torch.randn_like(w)) * b).sum() + w.new_ones(3).mul(b).sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{"constants of Python", "", "print(w.sum().item())\nloss = (x * w).sum() * 0.12345 + b.sum()", cli.ExitOK, []string{"exact: backward delivers"}},
	{"past the counter", "", "h = torch.exp(x * w)\nh.data.mul_(2)\nloss = (h * b).sum()", cli.ExitFindings, []string{"gradient-wrong", "ExpBackward0, at", "py:6"}},
	{
		"a wrong factor", function("Cube", "x * x * x", "g * 2 * x * x"), "loss = (Cube.apply(x * w) + b).sum()", cli.ExitFindings,
		[]string{"gradient-wrong", "CubeBackward, at", "return g * 2 * x * x"},
	},
	{"straight through", function("Round", "x.round()", "g"), "loss = (Round.apply(x * w * 3) * b).sum()", cli.ExitOK, []string{"RoundBackward (on purpose"}},
	{"reversed", function("Reverse", "x.view_as(x)", "-g"), "loss = (Reverse.apply(w) * b).sum()", cli.ExitOK, []string{"ReverseBackward (on purpose"}},
	{"a hook", "", "h = x * w\nh.register_hook(lambda g: g * 2)\nloss = (h + b).pow(2).sum()", cli.ExitOK, []string{"a hook (on purpose)"}},
}

func function(name, forward, backward string) string {
	return "class " + name + `(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return ` + forward + `
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ` + backward + "\n"
}

func TestAuditMeasuresGradients(t *testing.T) {
	engines := map[string][]string{
		"builtin": {"--engine", "builtin"},
		"torch":   {"--engine", "torch", "--python", pythonWithTorch(t)},
	}
	for _, c := range audited {
		for engine, flags := range engines {
			t.Run(c.name+"/"+engine, func(t *testing.T) {
				source := "import torch\nw, b, x = torch.tensor([0.3, -1.2, 0.8], requires_grad=True), torch.tensor([1.5, 0.4, -0.7], requires_grad=True), torch.tensor([[0.9, -0.4, 0.6], [-1.1, 0.2, 1.3]])\n" +
					"\nfor i in range(2):\n    w.grad = b.grad = None\n    " + strings.ReplaceAll(c.step, "\n", "\n    ") +
					"\n    loss.backward()\n    with torch.no_grad():\n        w -= 0.01 * (w.grad if w.grad is not None else 0)\n"
				source = strings.Replace(source, "\n\nfor", "\n"+c.before+"\nfor", 1)
				file := filepath.Join(t.TempDir(), "prog.py")
				if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
					t.Fatal(err)
				}
				code, said := did(t, "", append([]string{"audit", file}, flags...)...)
				if code != c.code {
					t.Errorf("exit code %d, want %d", code, c.code)
				}
				for _, want := range c.want {
					if !strings.Contains(said, want) {
						t.Errorf("%q is missing in:\n%s", want, said)
					}
				}
			})
		}
	}
}

// Iterations are found where the loop's body has one line, and all else is in the function that it calls.
func TestAuditFindsSteps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prog.py")
	source := `import torch
w = torch.tensor([0.3, -1.2], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def model(x):
    return (x * w).tanh()
def train_step(out):
    loss = out.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
for i in range(3):
    train_step(model(torch.tensor([0.9, 0.4])))
`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag, value, want string
		code              int
	}{
		{"--step", "1", "step 1: 1 leaf", cli.ExitOK},
		{"--step", "3", "step 3: 1 leaf", cli.ExitOK},
		{"--step", "4", "there is no step 4: the steps on the tape are 1 to 3", cli.ExitFailed},
		{"--directions", "0", "0 directions measure nothing", cli.ExitFailed},
	} {
		code, said := did(t, "", "audit", file, "--engine", "builtin", c.flag, c.value)
		if code != c.code || !strings.Contains(said, c.want) || code == cli.ExitOK && !strings.Contains(said, "exact: backward") {
			t.Errorf("%s %s: exit code %d\n%s", c.flag, c.value, code, said)
		}
	}
}

// What an audit finds is a finding like others: formats have it, comments ignore it.
func TestFindingsOfAuditsAreFindings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prog.py")
	write := func(comment string) {
		source := "import torch\nw = torch.tensor([0.3, -1.2], requires_grad=True)\nloss = (w ** 2).sum() * torch.sigmoid(w).mean().item()" + comment + "\nloss.backward()\n"
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	const engine = "--engine=builtin"
	var document struct {
		Findings []struct{ Code string }
		Audit    struct {
			Verdict string
			Cuts    []struct{ Place struct{ Line int } }
		}
	}
	for _, command := range [][]string{{"audit", file}, {"check", file, "--audit"}} {
		code, said := did(t, "", append(command, engine, "--format", "json")...)
		if err := json.Unmarshal([]byte(said), &document); err != nil {
			t.Fatal(err, said)
		}
		if code != cli.ExitFindings || len(document.Findings) != 1 || document.Findings[0].Code != "gradient-lost" || document.Audit.Verdict != "gradient-lost" || document.Audit.Cuts[0].Place.Line != 3 {
			t.Errorf("%v: exit code %d\n%s", command, code, said)
		}
	}
	for _, format := range []string{"sarif", "junit", "github"} {
		if _, said := did(t, "", "audit", file, engine, "--format", format); !strings.Contains(said, "gradient-lost") {
			t.Errorf("%s:\n%s", format, said)
		}
	}
	if code, said := did(t, "", "check", file, engine); code != cli.ExitOK || strings.Contains(said, "gradient-lost") {
		t.Errorf("an audit that was not asked for\n%s", said)
	}
	if code, said := did(t, "", "audit", file, engine, "--fail-on", "error"); code != cli.ExitOK {
		t.Errorf("a warning fails\n%s", said)
	}
	write("  # gradtui: ignore[gradient-lost]")
	for _, command := range [][]string{{"audit", file}, {"check", file, "--hints"}} {
		if code, said := did(t, "", append(command, engine)...); code != cli.ExitOK || strings.Contains(said, "ignores nothing") {
			t.Errorf("%v: exit code %d\n%s", command, code, said)
		}
	}
}

// A tape without the elements of the tensors is not judged.
func TestAuditNeedsTheElements(t *testing.T) {
	dir := t.TempDir()
	file, tape := filepath.Join(dir, "prog.py"), filepath.Join(dir, "prog.tape")
	source := "import torch\nw = torch.linspace(0, 1, 100, requires_grad=True)\n(w.exp() * w).sum().backward()\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{nil, {"--values", "10"}} {
		did(t, "", append([]string{"record", file, "--engine", "builtin", "-o", tape, "--force"}, flags...)...)
		if code, said := did(t, "", "audit", tape); code != cli.ExitFailed || !strings.Contains(said, "--values full") {
			t.Errorf("%v: exit code %d\n%s", flags, code, said)
		}
	}
}

// A node is checked by itself, element by element.
func TestANodeIsCheckedByItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prog.py")
	source := "import torch\n" + function("Cube", "x * x * x", "g * 2 * x * x") + `w = torch.tensor([[0.5, -1.5, 2.0]], requires_grad=True)
v = torch.linspace(0, 1, 300, requires_grad=True)
y = Cube.apply(torch.tanh(w))
((y @ v.view(3, 100)) ** 2).sum().backward()
`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for engine, flags := range map[string][]string{"builtin": {"--engine", "builtin"}, "torch": {"--engine", "torch", "--python", pythonWithTorch(t)}} {
		t.Run(engine, func(t *testing.T) {
			seen := map[string]bool{}
			for n := range 12 {
				code, said := did(t, "", append([]string{"audit", file, "--node", strconv.Itoa(n)}, flags...)...)
				name, _, _ := strings.Cut(said, " ")
				seen[name] = true
				want := cli.ExitOK
				switch name {
				case "CubeBackward":
					want = cli.ExitFindings
					for _, part := range []string{"wrong: it sent on", "gradient for ", "[1, 3]: largest difference 0.33", "[0, 1]", "y = Cube.apply"} {
						if !strings.Contains(said, part) {
							t.Errorf("%q is missing in\n%s", part, said)
						}
					}
				case "gradtui:":
					want = cli.ExitFailed
				}
				if code != want {
					t.Errorf("node %d: exit code %d\n%s", n, code, said)
				}
			}
			for _, name := range []string{"CubeBackward", "TanhBackward0", "MmBackward0", "ViewBackward0", "PowBackward0", "SumBackward0"} {
				if !seen[name] {
					t.Errorf("%s is missing: %v", name, seen)
				}
			}
		})
	}
	for _, c := range []struct{ flags, want string }{
		{"--node 0", "nodes count from 1"},
		{"--node 99", "there is no node n99"},
		{"--node 1 --format json", "--node writes text"},
	} {
		code, said := did(t, "", append([]string{"audit", file, "--engine", "builtin"}, strings.Fields(c.flags)...)...)
		if code != cli.ExitFailed || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit code %d\n%s", c.flags, code, said)
		}
	}
}

// A step that differentiates within itself is followed where the operations of that pass are on the tape: by the built-in
// engine. On PyTorch it is not judged.
func TestAuditFollowsGradientsOfGradients(t *testing.T) {
	steps := map[string]string{
		"penalty": "v = w * 2\ny = (x * v).pow(3).sum()\ng, = torch.autograd.grad(y, v, create_graph=True)\nloss = (g.norm() - 1) ** 2 + b.sum()",
		"inner":   "l = (x * w + b).pow(2).mean()\ng, h = torch.autograd.grad(l, [w, b], create_graph=True)\nloss = (x * (w - 0.1 * g) + b - 0.1 * h).pow(4).mean()",
		"hessian": "l = (w.exp() * b).sum()\ng, = torch.autograd.grad(l, w, create_graph=True)\nloss = (g * torch.tensor([0.2, -0.3, 0.7])).sum()",
	}
	lost := "l = (x * w + b).pow(2).mean()\ng, h = torch.autograd.grad(l, [w, b])\nloss = (x * (w - 0.1 * g.data * w) + b).pow(4).mean()"
	audit := func(step string, flags ...string) (int, string) {
		file := filepath.Join(t.TempDir(), "prog.py")
		source := "import torch\nw, b, x = torch.tensor([0.3, -1.2, 0.8], requires_grad=True), torch.tensor([1.5, 0.4, -0.7], requires_grad=True), torch.tensor([[0.9, -0.4, 0.6], [-1.1, 0.2, 1.3]])\n" + step + "\nloss.backward()\n"
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		return did(t, "", append([]string{"audit", file}, flags...)...)
	}
	for name, step := range steps {
		if code, said := audit(step, "--engine", "builtin"); code != cli.ExitOK || !strings.Contains(said, "exact: backward delivers") {
			t.Errorf("%s: exit code %d\n%s", name, code, said)
		}
		if code, said := audit(step, "--engine", "torch", "--python", pythonWithTorch(t)); code != cli.ExitFailed || !strings.Contains(said, "create_graph") {
			t.Errorf("%s on PyTorch: exit code %d\n%s", name, code, said)
		}
	}
	if code, said := audit(lost, "--engine", "builtin"); code != cli.ExitOK {
		t.Errorf("a gradient without a graph is a constant: exit code %d\n%s", code, said)
	}
}
