"""The wheel's tag: the libraries inside are for one platform, but for every Python."""

import os
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

if not os.path.exists(os.path.join("whorl", "_lib", "libwhorl.so")):
    sys.exit("whorl/_lib holds no libwhorl.so: `make wheel` in the checkout builds the package with it")


class Platform(Distribution):
    def has_ext_modules(self):
        return True


class Tagged(bdist_wheel):
    def get_tag(self):
        return "py3", "none", os.environ["WHORL_WHEEL_PLATFORM"]


setup(distclass=Platform, cmdclass={"bdist_wheel": Tagged})
