"""Records what the `torch` of this Python does with programs of the corpus.

    record.py [--try | --lines] [AREA | FILE.py]...

For each program it writes FILE.json beside it. With --try it prints the results,
with --lines it prints each as one line of JSON; both leave the files alone. PyTorch
is imported once, and each program runs in a copy of this process (fork).
"""

import glob
import json
import os
import shutil
import signal
import sys
import tempfile

import forks
import observe

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "capture", "python", "testdata")
MOST_SECONDS = 300


def main(arguments):
    how = arguments.pop(0) if arguments[:1] in (["--try"], ["--lines"]) else "--write"
    forks.import_late()
    forks.settle()
    for program in programs(arguments):
        result = record(program)
        if how == "--lines":
            print(json.dumps({"program": program, "result": result}), flush=True)
        elif how == "--try":
            print("\n".join([program] + result.pop("stdout")) + "\n" + text(result), flush=True)
        else:
            with open(os.path.splitext(program)[0] + ".json", "w", encoding="utf-8") as file:
                file.write(text(result))
            exception = result["exception"]
            print(program, "%(type)s in line %(line)d: %(text)s" % exception if exception else "", sep="  ", flush=True)


def programs(arguments):
    everything = ["programs/*/*.py", "cases/*/*.py", "lesson/*.py"]
    for pattern in everything if not arguments else []:
        yield from sorted(glob.glob(os.path.join(CORPUS, pattern)))
    for argument in arguments:
        if os.path.isfile(argument):
            yield argument
            continue
        found = sorted(glob.glob(os.path.join(CORPUS, "programs", argument, "*.py")))
        if not found:
            sys.exit("record.py: no programs in " + argument)
        yield from found


def record(program):
    """What became of the program in a copy of this process."""
    scratch = tempfile.mkdtemp()
    try:
        paths = [os.path.join(scratch, name) for name in ("stdout", "stderr", "observed")]
        child = forks.start(lambda: live(program, paths[2]), paths[0], paths[1])
        status = os.waitpid(child, 0)[1]
        folder = os.path.dirname(os.path.abspath(program))
        result = {"stdout": observe.normal(read(paths[0]), folder).split("\n")}
        if read(paths[1]):
            result["stderr"] = observe.normal(read(paths[1]), folder).split("\n")
        result["exit"] = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        observed = read(paths[2])
        result.update(json.loads(observed) if observed else {"warnings": [], "exception": None, "tensors": {}, "graph": []})
        return result
    finally:
        shutil.rmtree(scratch)


def live(program, out):
    signal.alarm(MOST_SECONDS)
    observe.run(program, [], out)


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def text(result):
    """JSON in which what belongs together stands in one line."""
    parts = []
    for key, value in result.items():
        if isinstance(value, list) and value:
            value = "[\n" + ",\n".join("  " + one_line(v) for v in value) + "\n ]"
        elif key == "tensors" and value:
            value = "{\n" + ",\n".join("  %s: %s" % (one_line(k), one_line(v)) for k, v in value.items()) + "\n }"
        else:
            value = one_line(value)
        parts.append(' "%s": %s' % (key, value))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def one_line(value):
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1:])
