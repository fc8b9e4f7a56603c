import sys
import unittest

import harness
from gradtui._agent import modules, names, stacks

QUALIFIED = sys.version_info >= (3, 11)

BEGINNING = """
import contextlib, functools, operator
x = T(); xs = [T(), T()]
class Object: pass
o = Object(); d = {}; l = [0, 0]
LOG.clear()
"""

# Programs, and the names of their operations' results: the number of the operation,
# the position of a tensor among its results, the scope. ~ is a name that holds when
# the statement is over.
PROGRAMS = {
    "y = x + x": "0:y",
    "y = op(x)": "0:y",
    "y = op(*[x], **{})": "0:y",
    "y = op(x, k=1)": "0:y",
    "y = x.relu()": "0:y",
    "y = -x": "0:y",
    "y = x.T": "0:y",
    "y = x[0]": "0:y",
    "y = x[1:2]": "0:y",
    "y = x < x": "0:y",
    "x += x": "0:x",
    "y: object = x.relu()": "0:y",
    "y = x.relu().relu()": "1:y",
    "y = op(x) + x": "1:y",
    "y = (x.\n relu(\n)\n + x)": "1:y",
    "_ = op(x)": "",
    "op(x)": "",
    "o.h = op(x)": "0:o.h",
    "o.h = x\no.h += x": "0:o.h",
    "o.a = Object()\no.a.b = op(x)": "0:o.a.b",
    "d['k'] = op(x)": "0:d['k']",
    "d['k'] = x\nd['k'] += x": "0:d['k']",
    "l[0] = op(x)": "0:l[0]",
    "i = 1\nl[i] = op(x)": "",
    "x[0] = op(x)": "",
    "x[0] = y = op(x)": "0:y",
    "a = b = op(x)": "0:a 0:b",
    "a = o.z = d['q'] = op(x)": "0:a 0:o.z 0:d['q']",
    "a, b = x.pair()": "0.0:a 0.1:b",
    "a, *b = x.pair()": "0.0:a",
    "(a, b), c = x.pair(), op(x)": "0.0:a~ 0.1:b~ 1:c",
    "a, b = op(x), x + x": "0:a~ 1:b",
    "a, b, c, e = op(x), x + x, x.relu(), x": "0:a~ 1:b~ 2:c",
    "a, b = x": "0.0:a 0.1:b",
    "print((z := op(x)) is None)": "0:z",
    "y = op(x) if x else None": "0:y",
    "for t in x: pass": "",
    "y = [t + t for t in xs]": "",
    # Functions
    "def f(x):\n  return x + x\ny = f(x)": "0:y",
    "def f(x):\n  y = x + x\n  return y\nz = f(x)": "0:f/y 0:z",
    "def f(x):\n  p = op(x)\n  w = p * 10\n  l = w * w\n  return p, w, l\np, w, _ = f(x)": "0:f/p 0:p~ 1:f/w 1:w~ 2:f/l",
    "def f(x):\n  if x: return x * 2, x * 3\n  return 1\na, b = f(x)": "0:a~ 1:b",
    "def f(x):\n  try:\n    return op(x)\n  finally:\n    print(end='')\ny = f(x)": "0:y~",
    "def f(x):\n  with contextlib.suppress():\n    return op(x)\ny = f(x)": "0:y~",
    "def f(x):\n  for i in range(2):\n    x = op(x)\n  return x\ny = f(x)": "0:f/x 1:f/x",
    "def f():\n  global g\n  g = op(x)\nf()": "0:g",
    "f = lambda x: x * 2\ny = f(x)": "0:y",
    "def g(f):\n  @functools.wraps(f)\n  def w(*a):\n    return f(*a)\n  return w\n@g\ndef h(x): return x * 2\ny = h(x)": "0:y",
    "y = functools.partial(op, x)()": "0:y",
    "def f(x):\n  yield x * 2\nfor y in f(x): pass": "",
    "def f(x):\n  y = yield\n  return x * 2\ng = f(x)\nnext(g)\ntry: g.send(1)\nexcept StopIteration: pass": "",
    "class C:\n  a = op(x)": "0:C/a",
    # Functions of C that call operators
    "y = abs(x)": "0:y",
    "y = operator.add(x, x)": "0:y",
    "y = sum(xs, T())": "0:y~ 1:y~",
    "y = max(x, x)": "",
    "y = sorted(xs)": "",
    "y = sorted(xs, key=lambda t: t + t)": "",
    "y = list(map(lambda t: t + t, xs))": "",
    "y = functools.reduce(operator.add, xs)": "",
    "y = xs.index(xs[1])": "",
    # Functions of ours that call operators
    "y = linear(x, x)": "1:y",
    "def f(x): return x + x\ny = call(f, x)": "0:y",
}


class TestNames(unittest.TestCase):
    def test_names_of_results(self):
        for program, want in PROGRAMS.items():
            with self.subTest(program):
                harness.run(BEGINNING + program)
                known = {r[1]: r[2] for r in stacks.pending if r[0] == "named"}
                found = []
                for i, number in enumerate(harness.module.LOG):
                    for position, name, scope, until in known.get(number, ()):
                        text = "%d" % i if position < 0 else "%d.%d" % (i, position)
                        found.append("%s:%s%s%s" % (text, scope and scope + "/", name, "~" * bool(until)))
                self.assertEqual(" ".join(found), want)

    def test_results_of_modules(self):
        variables = harness.run("m = Sequential(Linear(), Linear())\ny = m(T())\ndef f(m): return m(T())\na = b = f(m)")
        y, a = variables["y"], variables["a"]
        self.assertEqual(harness.bound[-3:], [("y", "", y), ("a", "", a), ("b", "", a)])

    def test_the_parameters_of_a_module_have_its_name(self):
        variables = harness.run("net = Sequential(Linear(), Linear())\ny = net(T())\nz = net(T())")
        layers = variables["net"]._modules
        want = [("net[%s].weight" % i, "", layers[i].weight) for i in "01"]
        self.assertEqual([b for b in harness.bound if "weight" in b[0]], want)

    def test_the_name_of_a_variable_in_a_closure_has_the_scope_of_its_function(self):
        harness.run("def f():\n  q = 0\n  def k():\n    nonlocal q\n    q = op()\n  k()\nf()")
        (record,) = [r for r in stacks.pending if r[:2] == ("named", harness.module.LOG[0])]
        self.assertEqual(record[2], ((-1, "q", "f" if QUALIFIED else "", 0),))


class TestScan(unittest.TestCase):
    def names(self, source):
        return [name for name, _, _ in names.scan((harness.run(source), ""))]

    def test_containers_and_objects(self):
        source = """
class Slots: __slots__ = 'a', 'b'
class Plain: pass
x = T()
same = x
two = [T(), (T(), {'w': T(), 3: T()})]
s = Slots(); s.a = T()
p = Plain(); p.inner = s; p.t = T()
__hidden = T(); _ = T()
net = Sequential(Linear(), Linear())
"""
        want = [
            "x", "same", "two[0]", "s.a", "p.t", "two[1][0]", "two[1][1]['w']", "two[1][1][3]",
            "net[0].weight", "net[1].weight",
        ]  # fmt: skip
        self.assertEqual(sorted(self.names(source)), sorted(want))

    def test_no_code_of_the_program_runs(self):
        source = """
class Bad:
    def __getattribute__(self, name): raise SystemError(name)
    __len__ = __iter__ = __getitem__ = items = __eq__ = __hash__ = __getattribute__
class BadList(list): __iter__ = __len__ = Bad.__getattribute__
class BadDict(dict): items = __iter__ = __len__ = Bad.__getattribute__
class Property:
    @property
    def __dict__(self): raise SystemError
    @property
    def t(self): raise SystemError
class Liar:
    @property
    def __class__(self): raise SystemError
class Meta(type):
    def __getattribute__(cls, name): raise SystemError(name)
class Class(metaclass=Meta): pass
f = Class(); f.__dict__['t'] = T()
g = Class(); object.__setattr__(g, '__dict__', BadDict(t=T()))
a = Bad(); b = BadList([T()]); c = BadDict(k=T()); d = Property(); e = Liar()
"""
        self.assertEqual(self.names(source), ["f.t", "g.t", "b[0]", "c['k']"])

    def test_near_names_come_before_far_ones_whatever_namespace_they_are_in(self):
        inner, outer = harness.run("o = Sequential(Linear())"), harness.run("w = T()")
        outer["w"] = weight = inner["o"]._modules["0"].weight
        inner = {"o": inner["o"]}
        self.assertEqual(list(names.scan((inner, "f"), (outer, ""))), [("w", "", weight)])
        inner["v"] = weight
        self.assertEqual(list(names.scan((inner, "f"), (outer, ""))), [("v", "f", weight), ("w", "", weight)])

    def test_modules_in_modules_are_as_near_as_these(self):
        source = "layer = Linear()\nnet = layer\nfor i in range(20): net = Sequential(net)\nparams = [layer.weight]\ndel layer"
        self.assertEqual(self.names(source), ["net" + "[0]" * 20 + ".weight"])
        self.assertEqual(self.names(source + "\ninner = net._modules['0']"), ["inner" + "[0]" * 19 + ".weight"])

    def test_cycles_and_large_ones(self):
        source = "a = []; a.append(a); a.append(T())\nb = [0] * 10**6 + [T()]\nc = d = [T()]\nfor i in range(10**5): c = [c]"
        self.assertEqual(self.names(source), ["a[1]", "d[0]"])


class TestModules(unittest.TestCase):
    def test_paths(self):
        before = len(stacks.pending)
        harness.run("""
class Net(Module):
    def __init__(self):
        super().__init__()
        self.body = Sequential(Linear(), Linear())
    def forward(self, x):
        return self.body(x)
net = Net()
net.__dict__["training"] = True
net.body.__dict__["training"] = False
net(T())
""")
        found = [r[1:] for r in stacks.pending[before:] if r[0] in ("enter", "leave")]
        want = [("", "Net", True), ("body", "Sequential", False), ("body.0", "Linear", None), (), ("body.1", "Linear", None), (), (), ()]
        self.assertEqual(found, want)
        self.assertEqual(modules._running, {})

    def test_an_error_leaves_the_modules(self):
        with self.assertRaises(RuntimeError):
            harness.run("class Net(Module):\n  def forward(self, x): fail()\nNet()(T())")
        self.assertEqual(modules._running, {})


if __name__ == "__main__":
    unittest.main()
