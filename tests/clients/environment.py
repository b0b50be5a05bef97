"""The real clients, from PyPI, below build/clients: cmdstanpy and ArviZ in a virtual environment,
stansummary and diagnose from the prophet wheel. Made once; `make clean` keeps it."""
import glob
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.environ["ROOT"]
FOLDER = os.path.join(ROOT, "build", "clients")
REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
PROPHET = "prophet==1.5.0"


def model(name):
    return os.path.join(os.environ["B"], "tests", "models", name)


def run(*command):
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        last = (result.stdout.strip().splitlines() or ["no message"])[-1]
        raise unittest.SkipTest(f"pip could not install the clients: {last}")


def make(name, build):
    """The folder of that name, built elsewhere first so that it is there whole or not at all."""
    target = os.path.join(FOLDER, name)
    if not os.path.exists(os.path.join(target, "ready")):
        os.makedirs(FOLDER, exist_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        build(target)
        open(os.path.join(target, "ready"), "w").close()
    return target


def build_python(target):
    print("clients: installing cmdstanpy and arviz (once)", flush=True)
    run(sys.executable, "-m", "venv", target)
    run(os.path.join(target, "bin", "python"), "-m", "pip", "--disable-pip-version-check",
        "--quiet", "install", "--only-binary=:all:", "-r", REQUIREMENTS)


def use_python():
    """Makes cmdstanpy and arviz importable."""
    target = make("python", build_python)
    sys.path[:0] = glob.glob(os.path.join(target, "lib", "python3*", "site-packages"))


def build_tools(target):
    print("clients: fetching stansummary and diagnose (once)", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download",
            "--no-deps", "--only-binary=:all:", "--dest", folder, PROPHET)
        with zipfile.ZipFile(glob.glob(os.path.join(folder, "*.whl"))[0]) as wheel:
            wheel.extractall(target, [n for n in wheel.namelist() if "/cmdstan-" in n or ".libs/" in n])


def tool(name):
    """Path of `stansummary` or `diagnose`."""
    target = make("tools", build_tools)
    path = glob.glob(os.path.join(target, "prophet", "stan_model", "cmdstan-*", "bin", name))[0]
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path
