"""Package sources of our own on disk: the same three packages as gems, rpms, pacman and composer packages.

``ferry`` needs ``harbor``, ``harbor`` needs ``tide`` 2.0 or newer; the gem ``buoy`` has an extension that cannot be built.
"""

from __future__ import annotations

import json
from textwrap import dedent

from scripts.recording.project import Project

VERSIONS = {"tide": "2.0.3", "harbor": "0.9.1", "ferry": "1.2.0"}

_GEM_NEEDS = {"harbor": 's.add_dependency "tide", "~> 2.0"', "ferry": 's.add_dependency "harbor", ">= 0.9"'}
_RPM_NEEDS = {"harbor": "Requires: tide >= 2.0", "ferry": "Requires: harbor"}
_PACMAN_NEEDS = {"harbor": "depend = tide>=2.0", "ferry": "depend = harbor"}
_COMPOSER_NEEDS = {"harbor": {"sea/tide": "^2.0"}, "ferry": {"sea/harbor": ">=0.9", "sea/tide": ">=1"}}


def gems(project: Project) -> None:
    """Make a gem source in ``gems``, with an index."""
    for name, version in [*VERSIONS.items(), ("tide", "1.0.0"), ("buoy", "0.1.0")]:
        extension = 's.extensions = ["ext/extconf.rb"]' if name == "buoy" else ""
        spec = f"""\
            Gem::Specification.new do |s|
              s.name = "{name}"
              s.version = "{version}"
              s.summary = "{name} for harbors"
              s.authors = ["Mara Lindqvist"]
              s.license = "MIT"
              s.homepage = "https://harbor.example"
              s.files = Dir["lib/*"] + Dir["ext/*"]
              {_GEM_NEEDS.get(name, "")}
              {extension}
            end
        """
        files = {
            f"src/{name}-{version}/{name}.gemspec": spec,
            f"src/{name}-{version}/lib/{name}.rb": f"module {name.title()}\nend\n",
        }
        if extension:
            files[f"src/{name}-{version}/ext/extconf.rb"] = _EXTCONF
        project.write(files)
        project.shell(
            f"gem build {name}.gemspec && mkdir -p ../../gems/gems && mv *.gem ../../gems/gems", f"src/{name}-{version}"
        )
    project.shell("gem generate_index -d gems")


_EXTCONF = """\
    require "mkmf"
    have_header("stdio.h")
    have_header("libink.h") or abort "libink.h is missing: install libink 2.0"
    create_makefile("buoy")
"""


def bundle(project: Project, *needed: str) -> None:
    """Make a Gemfile that asks for *needed* from the gem source, and have gems installed inside the project."""
    gems(project)
    lines = "".join(f"gem {one}\n" for one in needed)
    project.write({"Gemfile": f'source "file://{project.root}/gems"\n{lines}', ".bundle/config": _BUNDLE})


_BUNDLE = '---\nBUNDLE_PATH: "vendor"\nBUNDLE_SILENCE_ROOT_WARNING: "true"\n'


def rpms(project: Project) -> None:
    """Make an rpm repository in ``rpms`` and a configuration ``dnf.conf`` that knows no other."""
    for name, version in VERSIONS.items():
        project.write({f"specs/{name}.spec": _SPEC.format(name=name, version=version, needs=_RPM_NEEDS.get(name, ""))})
        project.shell(f'rpmbuild -bb --define "_topdir $PWD/build" specs/{name}.spec')
    project.shell("mkdir rpms && cp build/RPMS/noarch/*.rpm rpms && createrepo_c rpms")
    project.write(
        {
            "dnf.conf": f"[main]\ncachedir={project.root}/cache\n\n[sea]\nname=Sea\nbaseurl=file://{project.root}/rpms\ngpgcheck=0\n"
        }
    )


_SPEC = """\
Name: {name}
Version: {version}
Release: 1
Summary: {name} for harbors
License: MIT
BuildArch: noarch
{needs}
%description
The {name}.
%install
mkdir -p %{{buildroot}}/usr/share/{name}
echo sea > %{{buildroot}}/usr/share/{name}/data
%files
/usr/share/{name}/data
"""


def arch(project: Project) -> None:
    """Make a pacman repository in ``arch`` and a configuration ``pacman.conf`` that installs below the project."""
    for name, version in VERSIONS.items():
        info = dedent(
            f"""\
            pkgname = {name}
            pkgver = {version}-1
            pkgdesc = {name} for harbors
            url = https://harbor.example
            builddate = 1709287200
            packager = Mara Lindqvist
            size = 4
            arch = any
            license = MIT
            """
        )
        project.write({f"{name}/.PKGINFO": f"{info}{_PACMAN_NEEDS.get(name, '')}\n", f"{name}/usr/share/{name}/data": "sea\n"})
        project.shell(f"mkdir -p ../arch && tar -c --zstd -f ../arch/{name}-{version}-1-any.pkg.tar.zst .PKGINFO usr", name)
    project.shell("cd arch && repo-add -q sea.db.tar.gz *.zst && mkdir -p ../root/db ../cache")
    below = "".join(f"{key} = {project.root}/{path}\n" for key, path in _PACMAN_PATHS.items())
    server = f"[sea]\nServer = file://{project.root}/arch\n"
    project.write({"pacman.conf": f"[options]\nArchitecture = auto\nSigLevel = Never\n{below}{server}"})


_PACMAN_PATHS = {"RootDir": "root", "DBPath": "root/db", "CacheDir": "cache", "LogFile": "log"}


def composer(project: Project, needed: dict[str, str]) -> None:
    """Make composer packages in ``packages`` and an application that asks for *needed* of them."""
    for name, version in VERSIONS.items():
        package = {"name": f"sea/{name}", "description": f"{name} for harbors", "version": version}
        package_file = json.dumps(package | {"require": _COMPOSER_NEEDS.get(name, {"php": ">=8.0"})})
        project.write({f"packages/{name}/composer.json": package_file})
    sources = [{"type": "path", "url": "packages/*", "options": {"symlink": False}}, {"packagist.org": False}]
    project.write({"composer.json": json.dumps({"name": "sea/app", "require": needed, "repositories": sources})})
