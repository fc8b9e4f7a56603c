# Says in one line of JSON what this interpreter is. It runs with Python 2 as well.
import sys

del sys.path[0]  # the working directory


def version_of(package):
    # The version of a package that can be imported, without importing it.
    import os
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return ""
    for folder in spec.submodule_search_locations:
        for name in os.listdir(os.path.dirname(folder)):
            if name.startswith(package + "-") and name.endswith("-info"):
                return os.path.splitext(name)[0].split("-")[1]
    return "of an unknown version"


def escaped(c):
    if " " <= c <= "~" and c not in '"\\':
        return c
    n = ord(c)
    if n < 0x10000:
        return "\\u%04x" % n
    return "\\u%04x\\u%04x" % (0xD7C0 + (n >> 10), 0xDC00 + (n & 0x3FF))


def quoted(text):
    return '"%s"' % "".join(map(escaped, text))


implementation = getattr(sys, "implementation", None)
answer = {
    "Executable": sys.executable or "",
    "Prefix": sys.prefix,
    "Implementation": implementation.name if implementation else "cpython",
    "Bytecode": "",
    "Torch": "",
    "Numpy": "",
}
if sys.version_info >= (3, 9):
    import _frozen_importlib_external

    answer["Bytecode"] = "%s-%s" % (implementation.cache_tag, _frozen_importlib_external.MAGIC_NUMBER.hex())
    answer["Torch"] = version_of("torch")
    answer["Numpy"] = version_of("numpy")
fields = ['"%s": %s' % (name, quoted(text)) for name, text in sorted(answer.items())]
sys.stdout.write("\n{%s, \"Version\": [%d, %d, %d]}\n" % ((", ".join(fields),) + tuple(sys.version_info[:3])))
