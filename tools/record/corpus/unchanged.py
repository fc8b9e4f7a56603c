"""Runs programs with and without recording, and says what is not the same.

    unchanged.py [--jobs N] [--ways NAME,...] [--package DIR] [--records DIR] FILE.py...
    unchanged.py [--jobs N] [--ways NAME,...] [--package DIR]

The second form reads from its standard input what to do: each line is a list in JSON, of the
folder for the records and the programs. It prints an empty line when it has done that.

For each program it prints a line of JSON: {"program", "records": how many records there
were, "kept": the file with them, "differs": {way: {what: difference}}, "skipped": why
nothing was compared}. A way is a set of things that gradtui asks for, see WAYS: the first
is taken for all programs, the others for those that were written to be hard to record.
What is compared is all that one can see of a program from outside (output, exit code),
the states of the random generators, and the tensors that its variables hold at the end,
bit for bit.

PyTorch is imported once, and once for each way its functions are replaced; each program
runs in a copy of such a process (forks.py). The other end of the recorder's socket is here
as well: it answers, and keeps what the recorder sent the first way, frame by frame, if there
is a folder for that.
"""

import ctypes
import difflib
import hashlib
import json
import marshal
import os
import random
import re
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import traceback
import types

import torch

import forks

try:
    import numpy
except ImportError:
    numpy = None

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_SECONDS = 120
MOST_LINES = 100  # of a difference

# Ways to record: what gradtui asks of the recorder. The second takes all values and
# waits after every record, so that no operation is taken to be like an earlier one.
WAYS = {
    "fast": {"values": 1},
    "none": {"values": 0},
    "closely": {"values": 2, "attend": 1, "nodes": 1, "errors": True, "nonfinite": True, "inplace": True, "free": True},
}


# Programs that see PyTorch as it is imported; others see it when all is imported that it
# imports late, which takes as long again.
EARLY = ("compiled.py", "warnings_once.py")


def main(arguments):
    options = {"--jobs": "1", "--ways": "fast", "--package": os.path.join(HERE, "..", "..", "..", "python", "src"), "--records": ""}
    while arguments and arguments[0] in options:
        options[arguments[0]] = arguments[1]
        del arguments[:2]
    asked, heard = socket.socketpair()
    if os.fork() == 0:
        asked.close()
        forks.import_late()
        serve(heard, options)
        os._exit(0)
    heard.close()
    answers = asked.makefile()
    if arguments:
        requests = [json.dumps([options["--records"]] + arguments)]
    else:
        requests = sys.stdin
    for request in requests:
        folder, *programs = json.loads(request)
        for name in programs:
            if not os.path.exists(name):
                sys.exit("unchanged.py: there is no program " + name)
        programs = [os.path.abspath(name) for name in programs]
        early = [name for name in programs if is_hard(name) and os.path.basename(name) in EARLY]
        if early:
            compare(early, folder, options)
        asked.sendall((json.dumps([folder] + [name for name in programs if name not in early]) + "\n").encode())
        if not answers.readline():
            sys.exit("unchanged.py: a job has failed")
        if not arguments:
            os.write(1, b"\n")


def serve(heard, options):
    """Compares what it hears of, and answers with an empty line after each request."""
    for request in heard.makefile():
        folder, *programs = json.loads(request)
        compare(programs, folder, options)
        heard.sendall(b"\n")


def is_hard(program):
    return os.path.basename(os.path.dirname(program)) == "unchanged"


def compare(programs, folder, options):
    """Prints what recording has changed of programs. Their records go to a folder."""
    forks.settle()
    children = []
    jobs = min(int(options["--jobs"]), len(programs))
    for job in range(jobs):
        child = os.fork()
        if child == 0:
            try:
                for result in compared(programs[job::jobs], options["--ways"].split(","), os.path.abspath(options["--package"]), folder):
                    os.write(1, (json.dumps(result) + "\n").encode())
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    if any([os.waitpid(child, 0)[1] for child in children]):
        sys.exit("unchanged.py: a job has failed")


def compared(programs, ways, package, folder):
    """What recording has changed of programs, and their records in a folder."""
    results = {program: {"program": program, "records": 0, "differs": {}} for program in programs}
    kept = {program: os.path.join(folder, "%d-%d" % (os.getpid(), i)) for i, program in enumerate(programs)} if folder else {}
    plain = all_of(programs, None, package)
    for way in ways:
        taken = programs if way == ways[0] else [program for program in programs if is_hard(program)]
        recorded = all_of(taken, WAYS[way], package, kept if way == ways[0] else {})
        changed = [program for program in taken if recorded[program][0] != plain[program][0]]
        again = all_of(changed, None, package)
        for program in taken:
            result, (seen, records) = results[program], recorded[program]
            result["records"] = max(result["records"], records)
            result["kept"] = kept.get(program, "")
            if program not in again:
                continue
            once, twice = plain[program][0], again[program][0]
            if once != twice:
                result["skipped"] = "does not do the same twice: " + next(iter(differences(once, twice).values()))
            else:
                result["differs"][way] = differences(once, seen)
    return results.values()


def all_of(programs, settings, package, kept=()):
    """What was seen of programs and how many records there were, with some settings or
    without recording. kept says in which files the records go."""
    if not programs:
        return {}
    folder = tempfile.mkdtemp()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if settings:
                load(package)
            with open(os.path.join(folder, "seen"), "wb") as file:
                marshal.dump({program: run(program, settings, kept[program] if kept else None) for program in programs}, file)
            code = 0
        except BaseException:
            traceback.print_exc()
        os._exit(code)
    try:
        if os.waitpid(child, 0)[1]:
            raise SystemExit("unchanged.py: programs could not be run")
        with open(os.path.join(folder, "seen"), "rb") as file:
            return marshal.load(file)
    finally:
        shutil.rmtree(folder)


def load(package):
    """Loads the recorder and lets it do what takes long: replacing PyTorch's functions."""
    sys.path.append(package)
    from gradtui._agent import stacks, tracebacks
    from gradtui._recorder import patch, start

    start.reset()
    patch.install()
    for function in (load, forks.start):
        stacks.hide(function.__code__.co_filename)  # as frames call it, which may hold ".."
    if os.environ.get("UNCHANGED_FRAMES"):  # to find out what has failed in the recorder
        tracebacks.hidden = lambda frame: False
    forks.settle()


def settled(text):
    """Output of a program without what differs from run to run: addresses of objects, and
    the line of this file that has started it."""
    text = re.sub(r"0x[0-9a-f]{4,}", "0x…", text)
    text = re.sub(r"%s\(\d+\): \w+" % re.escape(__file__), __file__ + "(…)", text)
    return re.sub(r'(File "%s", line )\d+.*\n.*\n' % re.escape(__file__), r"\1…\n", text)


def differences(a, b):
    found = {}
    for what in a:
        if a[what] != b[what]:
            lines = difflib.unified_diff(a[what].split("\n"), b[what].split("\n"), lineterm="", n=0)
            found[what] = "\n".join(line[:400] for line in list(lines)[2 : 2 + MOST_LINES])
    return found


def run(program, settings, kept=None):
    """Runs a program in a copy of this process, recorded if there are settings. Returns
    what was seen of it, and the number of records, which go to a file."""
    scratch = tempfile.mkdtemp()
    listener = None
    try:
        paths = {name: os.path.join(scratch, name) for name in ("stdout", "stderr", "state")}
        if settings:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(os.path.join(scratch, "socket"))
            listener.listen(64)
            with open(os.path.join(scratch, "attention"), "wb") as file:
                file.write(bytes(4096))
        child = forks.start(lambda: live(program, paths["state"], listener, scratch), paths["stdout"], paths["stderr"])
        with open(kept or os.devnull, "wb") as file:
            answers = Answers(listener, settings, file)
            status = answers.until(child)
        seen = {"recorder": answers.broken}
        for name, path in paths.items():
            seen[name] = ""
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="backslashreplace", newline="") as file:
                    seen[name] = settled(file.read())
        seen["exit"] = str(status)
        return seen, answers.records
    finally:
        if listener is not None:
            listener.close()
        shutil.rmtree(scratch)


class Answers:
    """The part of gradtui that a recorded program talks with."""

    def __init__(self, listener, settings, kept):
        self.listener, self.settings, self.kept = listener, settings, kept
        self.read = {} if listener is None else {listener: None}  # connection -> bytes that have come
        self.records = 0
        self.broken = ""  # what has failed in the recorder

    def until(self, child):
        """Answers until a child ends; its wait status."""
        ends = time.monotonic() + MOST_SECONDS
        wait = 0.001
        while True:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
                status = "ran for more than %d seconds" % MOST_SECONDS
                os.waitpid(child, 0)
                break
            if self.answer(wait):
                wait = 0.001
            else:
                wait = min(0.02, 2 * wait)
        while self.answer(0):
            pass
        for connection in self.read:
            connection.close()
        return status

    def answer(self, wait):
        ready = select.select(list(self.read), (), (), wait)[0]
        for connection in ready:
            if connection is self.listener:
                self.read[connection.accept()[0]] = b""
                continue
            try:
                data = connection.recv(1 << 20)
            except OSError:
                data = b""
            if not data:
                connection.close()
                del self.read[connection]
                continue
            self.read[connection] = self.frames(connection, self.read[connection] + data)
        return bool(ready)

    def frames(self, connection, data):
        """Answers what is complete, returns the rest."""
        at = 0
        while len(data) - at >= 4:
            size = struct.unpack_from("<I", data, at)[0]
            if len(data) - at - 4 < size:
                break
            for record in marshal.loads(memoryview(data)[at + 4 : at + 4 + size]):
                self.records += 1
                if type(record) is tuple and record[0] == "hello":
                    send(connection, ("welcome", self.settings))
                elif type(record) is tuple and record[0] == "sync":
                    send(connection, ("go", record[1], None))
                elif type(record) is tuple and record[0] == "broken":
                    self.broken += record[1]
            at += 4 + size
        self.kept.write(data[:at])
        return data[at:]


def send(connection, value):
    data = marshal.dumps(value, 2)
    try:
        connection.sendall(struct.pack("<I", len(data)) + data)
    except OSError:
        pass


def live(program, state, listener, scratch):
    """Is the program from now on, recorded if a receiver listens; returns its exit code."""
    folder, name = os.path.split(program)
    os.chdir(folder)
    sys.argv, sys.path[0] = [name], folder
    main = types.ModuleType("__main__")
    main.__file__, main.__builtins__ = program, __builtins__
    sys.modules["__main__"] = main
    random.seed(0)  # which os.fork has changed
    if numpy is not None:
        numpy.random.seed(0)
    if listener is not None:
        listener.close()
        from gradtui._recorder.start import begin

        begin(scratch)
    code = execute(program, main)
    threading._shutdown()
    with open(state, "w", encoding="utf-8") as file:
        file.write("\n".join(state_of(main)))
    return code


def execute(program, main):
    """Runs a program as Python does, and returns its exit code."""
    try:
        with open(program, "rb") as file:
            source = file.read()
        exec(compile(source, program, "exec"), main.__dict__)
    except SystemExit as e:
        if e.code is None or isinstance(e.code, int):
            return e.code or 0
        print(e.code, file=sys.stderr)
        return 1
    except BaseException as e:
        e.__traceback__ = e.__traceback__.tb_next
        sys.excepthook(type(e), e, e.__traceback__)
        return 1
    return 0


# What a program leaves behind. The functions are C functions, taken before recording.

Base = getattr(torch._C, "TensorBase", None) or torch._C._TensorBase
version, shape, dtype = Base._version.__get__, Base.shape.__get__, Base.dtype.__get__
requires_grad, is_leaf, grad_of, grad_fn = Base.requires_grad.__get__, Base.is_leaf.__get__, Base.grad.__get__, Base.grad_fn.__get__
layout, device, stride = Base.layout.__get__, Base.device.__get__, Base.stride
detach, contiguous, data_ptr, numel, element_size = Base.detach, Base.contiguous, Base.data_ptr, Base.numel, Base.element_size
retains_grad, is_inference, resolve_conj, resolve_neg = Base.retains_grad.__get__, Base.is_inference, Base.resolve_conj, Base.resolve_neg
get_rng_state, Module = torch.default_generator.get_state, torch.nn.Module
undisturbed = torch._C.DisableTorchFunction
MOST_THINGS = 2000
MOST_NODES = 100


def state_of(main):
    """Lines that describe the random generators and the variables of a program."""
    with undisturbed():
        yield "torch.random " + digest(detach(get_rng_state()))
        yield "random " + hashlib.sha1(repr(random.getstate()).encode()).hexdigest()[:12]
        if numpy is not None:
            yield "numpy.random " + hashlib.sha1(repr(numpy.random.get_state()).encode()).hexdigest()[:12]
        things = 0
        todo = [(name, value) for name, value in reversed(list(vars(main).items())) if not name.startswith("__")]
        seen = set()
        while todo and things < MOST_THINGS:
            things += 1
            name, value = todo.pop()
            if isinstance(value, torch._C._TensorBase):
                yield name + " " + tensor(value)
                g = grad_of(value) if is_leaf(value) or retains_grad(value) else None
                if g is not None:
                    todo.append((name + ".grad", g))
                value = getattr(value, "__dict__", None) or ()
            elif id(value) in seen:
                continue
            elif isinstance(value, Module) or type(value).__module__ == "__main__":
                value = getattr(value, "__dict__", {})
            seen.add(id(value))
            if isinstance(value, dict):
                todo.extend(reversed([("%s[%.40r]" % (name, k if isinstance(k, (str, int)) else type(k)), v) for k, v in list(value.items())]))
            elif isinstance(value, (list, tuple)):
                todo.extend(reversed([("%s[%d]" % (name, k), v) for k, v in enumerate(value)]))


def tensor(t):
    """A line about a tensor."""
    parts = [type(t).__name__, str(dtype(t)), str(tuple(shape(t)))]
    try:
        parts += [str(stride(t)), "version %d" % version(t)]
    except RuntimeError:
        pass
    if requires_grad(t):
        parts.append("requires_grad")
        try:
            parts.extend(nodes(grad_fn(t)))
        except RuntimeError as e:
            parts.append(str(e))
    parts.append(digest(t))
    return " ".join(parts)


def nodes(root):
    """The names of the nodes below one."""
    seen, todo, names = set(), [root], []
    while todo and len(names) < MOST_NODES:
        g = todo.pop()
        if g is None or g in seen:
            continue
        seen.add(g)
        names.append(type(g).__name__)
        todo.extend(f for f, _ in g.next_functions)
    return names


def digest(t):
    """A hash of the bytes of a tensor."""
    try:
        if type(t).__torch_dispatch__ is not torch._C._disabled_torch_dispatch_impl:
            return "answers for itself"
        if layout(t) is not torch.strided or device(t).type != "cpu":
            return str(layout(t))
        if not is_inference(t):
            t = detach(t)
        t = contiguous(resolve_neg(resolve_conj(t)))
        data = ctypes.string_at(data_ptr(t), numel(t) * element_size(t))
    except (RuntimeError, NotImplementedError) as e:
        return type(e).__name__
    return hashlib.sha1(data).hexdigest()[:12]


if __name__ == "__main__":
    main(sys.argv[1:])
