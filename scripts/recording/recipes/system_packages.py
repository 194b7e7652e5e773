"""apt, dpkg, gem, bundle, composer, dnf, pacman, nix, bun and berry; what they install comes from sources made here."""

from __future__ import annotations

import json
from functools import partial

from scripts.recording import sources
from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_apt, _gem, _composer = partial(Recipe, "apt"), partial(Recipe, "gem"), partial(Recipe, "composer")
_rpm, _pacman, _nix = partial(Recipe, "rpm"), partial(Recipe, "pacman"), partial(Recipe, "nix")
_bun, _yarn = partial(Recipe, "bun"), partial(Recipe, "yarn")

_DNF = "dnf -c dnf.conf --installroot=$PWD/root --releasever=9 -y"
_PACMAN = "pacman --config pacman.conf --noconfirm"


def _bundled(project: Project) -> None:
    sources.bundle(project, '"ferry"')


def _bundle_conflict(project: Project) -> None:
    sources.bundle(project, '"harbor"', '"tide", "~> 1.0"')


def _bundle_unbuildable(project: Project) -> None:
    sources.bundle(project, '"tide"', '"buoy"')


def _ferry(project: Project) -> None:
    sources.composer(project, {"sea/ferry": "^1.0"})


def _ferry_installed(project: Project) -> None:
    _ferry(project)
    project.shell("composer install -q --no-interaction")


def _old_tide(project: Project) -> None:
    sources.composer(project, {"sea/ferry": "^1.0", "sea/tide": "^1.0"})


def _rpm_installed(project: Project) -> None:
    sources.rpms(project)
    project.shell(f"{_DNF} -q install ferry")


def _arch_installed(project: Project) -> None:
    sources.arch(project)
    project.shell(f"{_PACMAN} -Sy ferry")


def _node(project: Project) -> None:
    needed = {"express": "4.18.2", "chalk": "4.1.2"}
    project.write(
        {"package.json": json.dumps({"name": "map-tiles", "version": "1.2.0", "private": True, "dependencies": needed})}
    )


def _bun_installed(project: Project) -> None:
    _node(project)
    project.shell("bun install --silent")


def _berry(project: Project) -> None:
    project.shell("npm install --silent --prefix tools @yarnpkg/cli-dist@4")
    _node(project)
    project.edit("package.json", '"chalk": "4.1.2"', '"react": "18.2.0", "react-dom": "17.0.2"')
    path = "tools/node_modules/@yarnpkg/cli-dist/bin/yarn.js"
    project.write({".yarnrc.yml": f"yarnPath: {path}\nenableTelemetry: false\nenableGlobalCache: false\n", "yarn.lock": ""})


def _berry_installed(project: Project) -> None:
    _berry(project)
    project.shell("yarn install")


RECIPES = (
    _apt("install-missing", "apt-get install -y libharbor-that-does-not-exist", ("E: Unable to locate package",), exit_code=100),
    _apt(
        "install-simulated",
        "apt-get install -s gnuplot",
        ("newly installed", "Inst gnuplot ", "libqt5core5a"),
        notes="what an installation would do; nothing is installed",
    ),
    _apt("install-german", "apt-get install -s gnuplot", ("Inst gnuplot ",), locale="de_DE.UTF-8"),
    _apt("list-upgradable", "apt list --upgradable", ("curl/",)),
    _apt("search", "apt-cache search json", ("jq", "libcjson1")),
    _apt("dpkg-list", "dpkg -l 'libx*'", ("libxml2:amd64", "libx11-6:amd64"), tool="dpkg"),
    _apt("dpkg-files", "dpkg -L git", ("/usr/bin/git",), tool="dpkg"),
    _apt("dpkg-missing", "dpkg -i harbor.deb", ("dpkg: error",), exit_code=2, tool="dpkg"),
    _gem(
        "install",
        "gem install --clear-sources --source file://$PWD/gems --install-dir vendor ferry",
        ("Successfully installed ferry-1.2.0", "3 gems installed"),
        sources.gems,
    ),
    _gem(
        "install-unbuildable",
        "gem install --clear-sources --source file://$PWD/gems --install-dir vendor buoy",
        ("libink.h is missing: install libink 2.0", "Failed to build gem native extension"),
        sources.gems,
        exit_code=1,
    ),
    _gem("bundle-install", "bundle install", ("Installing ferry 1.2.0", "Bundle complete!"), _bundled, tool="bundle"),
    _gem("bundle-conflict", "bundle install", ('gem "tide"', "tide (~> 1.0)"), _bundle_conflict, exit_code=6, tool="bundle"),
    _gem(
        "bundle-unbuildable",
        "bundle install",
        ("libink.h is missing: install libink 2.0", "An error occurred while installing buoy (0.1.0)"),
        _bundle_unbuildable,
        exit_code=5,
        tool="bundle",
    ),
    _composer("install", "composer install --no-interaction", ("Installing sea/ferry (1.2.0)", "3 installs"), _ferry),
    _composer("show", "composer show", ("sea/ferry", "1.2.0"), _ferry_installed),
    _composer(
        "update-conflict",
        "composer update --no-interaction",
        ("Root composer.json requires sea/tide ^1.0, found sea/tide[2.0.3]",),
        _old_tide,
        exit_code=2,
    ),
    _composer(
        "require-missing",
        "composer require sea/buoy --no-interaction",
        ("Could not find a matching version of package sea/buoy",),
        _ferry_installed,
        exit_code=1,
    ),
    _rpm("dnf-install", f"{_DNF} install ferry", ("Install  3 Packages", "ferry-1.2.0-1.noarch", "Complete!"), sources.rpms),
    _rpm("dnf-remove", f"{_DNF} remove tide", ("Remove  3 Packages", "harbor-0.9.1-1.noarch"), _rpm_installed),
    _rpm("dnf-missing", f"{_DNF} install buoy", ("Unable to find a match: buoy",), sources.rpms, exit_code=1),
    _rpm("dnf-list", f"{_DNF} list installed", ("ferry.noarch", "1.2.0-1"), _rpm_installed),
    _pacman("install", f"{_PACMAN} -Sy ferry", ("ferry-1.2.0-1", "harbor-0.9.1-1"), sources.arch),
    _pacman("info", f"{_PACMAN} -Qi ferry", ("Depends On      : harbor",), _arch_installed),
    _pacman("remove-needed", f"{_PACMAN} -R tide", ("required by harbor",), _arch_installed, exit_code=1),
    _nix("eval-missing", "nix-instantiate --eval -E '{ tide = 1; }.ferry'", ("attribute 'ferry' missing",), exit_code=1),
    _nix("eval", "nix-instantiate --eval --strict -E 'map (x: x + 1) [ 1 2 ]'", ("[ 2 3 ]",)),
    _bun("install", "bun install", ("+ express@4.18.2", "packages installed"), _node),
    _bun("add-missing", "bun add map-tiles-that-do-not-exist", ("error:", "404"), _node, exit_code=1),
    _bun("outdated", "bun outdated", ("express", "4.18.2"), _bun_installed),
    _bun("list", "bun pm ls --all", ("express@4.18.2", "chalk@4.1.2"), _bun_installed),
    _bun("why", "bun why ms", ("ms@2.0.0", "express@4.18.2"), _bun_installed),
    _yarn("berry-install", "yarn install", ("YN0060", "react-dom", "Done with warnings"), _berry),
    _yarn("berry-add-missing", "yarn add map-tiles-that-do-not-exist", ("Package not found",), _berry_installed, exit_code=1),
    _yarn("berry-why", "yarn why ms", ("ms@npm:2.0.0",), _berry_installed),
)
