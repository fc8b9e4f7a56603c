"""Which debuggers a program connects to."""

import os
import tempfile
import unittest
from unittest import mock

from gradtui import _attach
from gradtui._receiver import Error


class Debuggers(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        runtime = mock.patch.dict(os.environ, XDG_RUNTIME_DIR=folder.name)
        runtime.start()
        self.addCleanup(runtime.stop)
        self.base = os.path.join(folder.name, "gradtui")
        os.mkdir(self.base, 0o700)

    def wait(self, name: str, mode: int = 0o700) -> str:
        """A debugger that waits."""
        path = os.path.join(self.base, "wait-" + name)
        os.mkdir(path)
        os.chmod(path, mode)
        return path

    def test_folders_of_this_user_are_found(self) -> None:
        self.assertEqual(_attach._debuggers(), [])
        mine = self.wait("1")
        self.assertEqual(_attach._debuggers(), [mine])

    def test_a_folder_that_others_can_write_to_is_refused(self) -> None:
        os.chmod(self.base, 0o777)
        with self.assertRaisesRegex(Error, "others may write to it: set XDG_RUNTIME_DIR"):
            _attach._debuggers()

    def test_a_link_is_refused(self) -> None:
        os.rename(self.base, self.base + "-away")
        os.symlink(self.base + "-away", self.base)
        with self.assertRaises(Error):
            _attach._debuggers()

    def test_debuggers_that_others_can_change_are_left_out(self) -> None:
        mine = self.wait("mine")
        self.wait("open", 0o777)
        os.symlink(mine, os.path.join(self.base, "wait-link"))
        if os.geteuid() == 0:
            os.chown(self.wait("theirs"), 54321, 54321)
        self.assertEqual(_attach._debuggers(), [mine])

    def test_the_folder_of_another_user_is_refused(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        os.chown(self.base, 54321, 54321)
        with self.assertRaises(Error):
            _attach._debuggers()


if __name__ == "__main__":
    unittest.main()
