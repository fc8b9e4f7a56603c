"""pytest --gradtui records each test that uses torch, and fails it if gradtui finds
something wrong."""

from __future__ import annotations

import os
import re
import sys

import pytest

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any

    from ._agent.names import Space

_KEY = "gradtui: findings"
_SEVERITIES = ("hint", "warning", "error")


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("gradtui")
    group.addoption("--gradtui", action="store_true", help="record each test, and fail it if gradtui finds something wrong")
    group.addoption(
        "--gradtui-fail-on", choices=_SEVERITIES, default="error", metavar="SEVERITY",
        help="findings of this severity or above fail a test: hint, warning, error (default: error)",
    )
    group.addoption("--gradtui-tapes", metavar="FOLDER", help="keep the tapes of the tests in this folder, for gradtui open")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "no_gradtui: --gradtui does not record this test")
    if config.getoption("--gradtui"):
        config.pluginmanager.register(_Plugin(config), "gradtui-recorder")


def _seen_by(item: Any) -> Sequence[Space]:
    """The namespaces that the function of a test sees: its fixtures but pytest's own, which
    lead to all of pytest, and its module."""
    from gradtui._agent import spaces

    test: Any = getattr(item, "obj", None)
    function = getattr(test, "__func__", test)
    parameters = spaces.parameters(function)
    fixtures = getattr(item, "funcargs", {})
    found = {name: fixtures[name] for name in parameters if name in fixtures and not type(fixtures[name]).__module__.startswith("_pytest")}
    if function is not test and parameters:
        found[parameters[0]] = test.__self__
    return spaces.of_call(function, found)


class _Plugin:
    def __init__(self, config: Any) -> None:
        from . import _receiver

        try:
            _receiver.command()
        except _receiver.Error as error:
            raise pytest.UsageError("--gradtui: %s" % error) from None
        self.fail_on = config.getoption("--gradtui-fail-on")
        self.tapes = config.getoption("--gradtui-tapes")
        if self.tapes:
            os.makedirs(self.tapes, exist_ok=True)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, None]:
        if "torch" not in sys.modules or item.get_closest_marker("no_gradtui"):
            yield  # nothing can happen to tensors
            return
        from gradtui._agent import tracebacks

        from ._record import Recording

        path = self.tapes and os.path.join(self.tapes, re.sub(r"[^\w.-]+", "-", item.nodeid).strip("-") + ".tape")
        recording = Recording(path, check=True, _keep=True)
        recording._order["fail_on"] = self.fail_on
        recording._spaces = _seen_by(item)
        recording.start()
        outcome = yield
        error = outcome.excinfo and outcome.excinfo[1]
        if error is not None:
            tracebacks.strip(error)
            if hasattr(outcome, "force_exception"):
                outcome.force_exception(error)
            else:  # before pluggy 1.1
                outcome._excinfo = type(error), error, error.__traceback__
        if recording._running:
            recording._stop(sys._getframe(), error is None)
            setattr(item, _KEY, recording.findings)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        outcome = yield
        findings = getattr(item, _KEY, None)
        if call.when != "call" or not findings:
            return
        report = outcome.get_result()
        if report.passed and findings.failing and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = "gradtui: the test passes, but\n\n" + findings.text
        elif report.failed or report.passed:
            report.sections.append(("gradtui", findings.text))

    def pytest_report_header(self) -> str:
        return "gradtui: each test is recorded; findings of severity %s or above fail it" % self.fail_on

    def pytest_unconfigure(self) -> None:
        from . import _receiver

        _receiver.close()
        eager = sys.modules.get("gradtui._recorder.start")
        if eager is not None:
            eager.stop()
