"""make install and make uninstall leave a CmdStan as it was, and refuse what is not one."""
import os
import subprocess
import tempfile
import unittest

ROOT = os.environ["ROOT"]


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cmdstan = os.path.join(folder.name, "cmdstan")
        self.local = os.path.join(self.cmdstan, "make", "local")
        self.make_cmdstan("2.35.0")

    def make_cmdstan(self, version):
        """What is looked at: a makefile with a version, and the command's header."""
        os.makedirs(os.path.join(self.cmdstan, "make"), exist_ok=True)
        os.makedirs(os.path.join(self.cmdstan, "src", "cmdstan"), exist_ok=True)
        open(os.path.join(self.cmdstan, "src", "cmdstan", "command.hpp"), "w").close()
        with open(os.path.join(self.cmdstan, "makefile"), "w") as f:
            f.write(f"CMDSTAN_VERSION := {version}\n")

    def run_make(self, *words):
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "CMDSTAN")}
        return subprocess.run(["make", "-C", ROOT, *words], text=True, capture_output=True,
                              env=environment, stdin=subprocess.DEVNULL)

    def read_local(self):
        with open(self.local, "rb") as f:
            return f.read()

    def act(self, what):
        result = self.run_make(what, "CMDSTAN=" + self.cmdstan)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_install_twice_is_install_once(self):
        self.act("install")
        once = self.read_local()
        for setting in (b"CMDSTAN_MAIN = ", b"INC_FIRST = ", b"STAN_THREADS = true"):
            self.assertEqual(once.count(b"\n" + setting), 1)
        self.act("install")
        self.assertEqual(self.read_local(), once)

    def test_uninstall_restores_every_byte(self):
        for text in (b"CXX = clang++\n# no newline at the end", b"O=2\n\n", b"\tA=1\r\n"):
            with open(self.local, "wb") as f:
                f.write(text)
            self.act("install")
            self.assertNotEqual(self.read_local(), text)
            self.act("uninstall")
            self.assertEqual(self.read_local(), text)
            self.act("uninstall")
            self.assertEqual(self.read_local(), text)

    def test_uninstall_leaves_no_file_where_there_was_none(self):
        self.act("install")
        self.act("uninstall")
        self.assertFalse(os.path.exists(self.local))

    def assert_refused(self, message, *words):
        result = self.run_make("install", *words)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(message, result.stderr)
        self.assertFalse(os.path.exists(self.local))

    def test_what_is_not_a_cmdstan_is_refused_by_name(self):
        self.assert_refused("make install needs the path of a CmdStan")
        self.assert_refused("CMDSTAN=/none: there is no such directory.", "CMDSTAN=/none")
        self.assert_refused(f"CMDSTAN={ROOT}: this is not a CmdStan", "CMDSTAN=" + ROOT)

    def test_old_versions_are_refused_by_name(self):
        for version, fits in (("2.32.2", False), ("1.99.0", False), ("2.33.0", True),
                              ("2.40.0-rc1", True), ("3.0.0", True)):
            self.make_cmdstan(version)
            if fits:
                self.act("install")
                self.act("uninstall")
            else:
                self.assert_refused(f"this is CmdStan {version}; 2.33 or newer is needed.",
                                    "CMDSTAN=" + self.cmdstan)


if __name__ == "__main__":
    unittest.main()
