"""Compilers, builders and runners on small projects, with mistakes that were counted by hand."""

from __future__ import annotations

from functools import partial

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_FERRY_H = (
    "#ifndef FERRY_H\n#define FERRY_H\nstruct ferry { int passengers; int berth; };\nint board(struct ferry *f, int n);\n#endif\n"
)
_FERRY_C = """\
#include "ferry.h"

int board(struct ferry *f, int n) {
    f->passenger += n;
    return fare(n);
}

int leave(struct ferry f) {
    if (f.passengers = 0)
        return "empty";
    return board(f, 1, 2);
}

void berth(void) {
    undeclared = 3;
    return 1
}
"""
# Four errors and three warnings, counted by hand.
_FERRY_ERRORS = (
    "ferry.c:4:8: error: ‘struct ferry’ has no member named ‘passenger’; did you mean ‘passengers’?",
    "ferry.c:11:18: error: incompatible type for argument 1 of ‘board’",
    "ferry.c:11:12: error: too many arguments to function ‘board’",
    "ferry.c:15:5: error: ‘undeclared’ undeclared (first use in this function)",
    "ferry.c:16:13: error: expected ‘;’ before ‘}’ token",
    "ferry.c:5:12: warning: implicit declaration of function ‘fare’ [-Wimplicit-function-declaration]",
    "ferry.c:9:9: warning: suggest parentheses around assignment used as truth value [-Wparentheses]",
    "ferry.c:10:16: warning: returning ‘char *’ from a function with return type ‘int’",
)
_QUAY_CPP = """\
#include <algorithm>
#include <list>
#include <map>
#include <string>
#include <vector>

struct Ferry { std::string name; int berths; };

void arrivals() {
    std::list<int> minutes{3, 1, 2};
    std::sort(minutes.begin(), minutes.end());
    std::map<Ferry, int> fares;
    fares[Ferry{"Lunden", 2}] = 40;
    std::vector<std::string> names;
    names.push_back(7);
    for (const auto &f : fares) f.berths();
}
"""
_WARNINGS = "".join(
    f"int fare_{n}(int kind, unsigned seats, char *name) {{\n    int unused_{n} = 3;\n    if (kind < seats) return {n};\n"
    f"    switch (kind) {{ case 1: seats++; case 2: return name; }}\n}}\n"
    for n in range(1, 13)
)
_MAKEFILE = """\
CC = gcc
CFLAGS = -Wall -Wextra -O2 -std=gnu11 -Iinclude -DHARBOR_NAME='"Ostervik"' -fno-strict-aliasing -fstack-protector-strong
SOURCES = $(wildcard src/*.c)
OBJECTS = $(SOURCES:.c=.o)

all: harbor

harbor: $(OBJECTS)
\t$(CC) $(CFLAGS) -o harbor $(OBJECTS)

%.o: %.c
\t$(CC) $(CFLAGS) -c -o $@ $<

test:
\tpython -m pytest -q -p no:cacheprovider

lint:
\tpython lint.py

deploy:
\t@echo copying timetable
\t@test -n "$(HOST)" || (echo "HOST is not set: say where to" && exit 4)

sub:
\t$(MAKE) -C docs
"""


def _c(project: Project, **more: str) -> None:
    project.write({"ferry.h": _FERRY_H, "ferry.c": _FERRY_C, "quay.cpp": _QUAY_CPP, "fares.c": _WARNINGS})
    project.write({"main.c": '#include "ferry.h"\nint main(void) { struct ferry f; return board(&f, 1) + depth(2); }\n'})
    project.write({"nothing.c": '#include "timetable.h"\n', **more})


def _makes(project: Project) -> None:
    files = {f"src/quay_{n}.c": f"int quay_{n}(int n) {{ return n + {n}; }}\n" for n in range(12)}
    files["src/main.c"] = "int quay_3(int);\nint main(void) { return quay_3(1); }\n"
    project.write({"Makefile": _MAKEFILE, "docs/Makefile": "all: guide.pdf\n", **files})


def _makes_wrong(project: Project) -> None:
    _makes(project)
    project.write({"include/ferry.h": _FERRY_H, "src/ferry.c": _FERRY_C.replace('"ferry.h"', "<ferry.h>")})


def _makes_tests(project: Project) -> None:
    _makes(project)
    tests = "".join(f"def test_quay_{n}():\n    assert {n} < 30\n\n\n" for n in range(30))
    project.write({"test_quays.py": tests + "def test_depth():\n    depth = 3\n    assert depth == 4\n"})


_CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(harbor C)
option(WITH_TIDES "use tides" OFF)
if(WITH_TIDES)
  find_package(Tides 2.0 REQUIRED)
endif()
add_library(quay STATIC src/quay_1.c src/quay_2.c src/quay_3.c)
add_executable(harbor src/main.c)
target_link_libraries(harbor quay)
"""


def _cmake(project: Project) -> None:
    _makes(project)
    project.write({"CMakeLists.txt": _CMAKE})


def _cmake_made(project: Project) -> None:
    _cmake(project)
    project.shell("cmake -G Ninja -S . -B build")


def _cmake_wrong(project: Project) -> None:
    _cmake(project)
    project.write({"src/quay_2.c": "int quay_2(int n) { return nn + depth; }\n"})
    project.shell("cmake -G Ninja -S . -B build")


def _cmake_make_wrong(project: Project) -> None:
    _cmake(project)
    project.write({"src/quay_2.c": "int quay_2(int n) { return nn + depth; }\n"})
    project.shell("cmake -S . -B build")


def _meson(project: Project) -> None:
    _makes(project)
    project.write({"meson.build": "project('harbor', 'c')\ntides = dependency('tides', version: '>=2.0')\n"})


_JAVA = """\
package harbor;

import java.util.List;
import java.util.Map;

public class Ferry {
    private final String name;
    List raw;

    int board(List<String> passengers) {
        String first = passengers.size();
        return passenger.size();
    }

    void leave() {
        undock(3);
        Map<String, Integer> fares = Map.of("adult", "forty");
    }
}
"""
_JAVA_ERRORS = (
    "Ferry.java:11: error: incompatible types: int cannot be converted to String",
    "Ferry.java:12: error: cannot find symbol",
    "symbol:   variable passenger",
    "Ferry.java:16: error: cannot find symbol",
    "symbol:   method undock(int)",
    "Ferry.java:17: error: incompatible types",
)
_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>harbor</groupId>
  <artifactId>harbor</artifactId>
  <version>1.0</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
</project>
"""
_ANT = """\
<project name="harbor" default="dist">
  <target name="prepare"><mkdir dir="build/classes"/><copy todir="build"><fileset dir="src" includes="**/*.txt"/></copy></target>
  <target name="compile" depends="prepare"><javac srcdir="src" destdir="build/classes" includeantruntime="false"/></target>
  <target name="dist" depends="compile"><jar destfile="build/harbor.jar" basedir="build/classes"/></target>
</project>
"""
_GRADLE = "apply plugin: 'java'\ntask tides { doLast { throw new GradleException('no tide table for Lunden') } }\n"


def _java(project: Project) -> None:
    project.write({"src/harbor/Ferry.java": _JAVA, "src/harbor/Quay.java": "package harbor;\n\nclass Quay { int n; }\n"})
    project.write({"build.xml": _ANT, "pom.xml": _POM, "src/main/java/harbor/Ferry.java": _JAVA, "src/fares.txt": "adult 40\n"})
    project.write({"build.gradle": _GRADLE, "settings.gradle": "rootProject.name = 'harbor'\n"})


def _java_fine(project: Project) -> None:
    _java(project)
    project.shell("rm -r src/main src/harbor/Ferry.java")


_TS = """\
interface Ferry { name: string; berths: number; routes: { from: string; to: string }[] }

export function board(ferry: Ferry, passengers: string[]): number {
  const first: number = passengers[0];
  ferry.berth = 3;
  return passengers.length + ferry.routes;
}

export const north: Ferry = { name: "Lunden", berths: "two", routes: [{ from: "Ostervik", to: 3 }] };

export function leave(f) {
  return board(f);
}
"""
_TS_ERRORS = (
    "src/ferry.ts(4,9): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/ferry.ts(5,9): error TS2551: Property 'berth' does not exist on type 'Ferry'.",
    "src/ferry.ts(6,10): error TS2365",
    "src/ferry.ts(9,47): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/ferry.ts(9,91): error TS2322: Type 'number' is not assignable to type 'string'.",
    "src/ferry.ts(11,23): error TS7006: Parameter 'f' implicitly has an 'any' type.",
    "src/ferry.ts(12,10): error TS2554: Expected 2 arguments, but got 1.",
)
_TSCONFIG = '{ "compilerOptions": { "strict": true, "noEmit": true, "target": "es2022" }, "include": ["src"] }\n'
_PACKAGE = (
    '{ "name": "harbor", "version": "1.0.0", "type": "module", "scripts": { "build": "tsc -p .", "bundle": "webpack",'
    ' "list": "node list.js" } }\n'
)


def _javascript(project: Project) -> None:
    fares = {f"src/fares_{n}.js": f'export const fare_{n} = {n};\nexport const label_{n} = "fare {n}";\n' for n in range(12)}
    lines = "".join(f'import {{ fare_{n} }} from "./fares_{n}.js";\n' for n in range(12))
    project.write({"src/main.js": lines + "console.log(fare_1 + fare_2);\n", **fares})
    project.write(
        {"src/gone.js": 'import { tide } from "./tides.js";\nimport moon from "moon-phase";\nconsole.log(tide, moon);\n'}
    )
    project.write({"src/wrong.js": "const fare = 3;\nfare = 4;\nexport { fee };\n"})
    project.write({"package.json": _PACKAGE, "index.html": '<script type="module" src="/src/main.js"></script>\n'})
    project.write({"webpack.config.js": 'export default { mode: "production", entry: "./src/gone.js" };\n'})
    if project.tools:
        project.shell(f"ln -s {project.tools}/node_modules node_modules")


def _javascript_wrong(project: Project) -> None:
    _javascript(project)
    project.edit("index.html", "main.js", "gone.js")


def _typescript(project: Project) -> None:
    _javascript(project)
    project.write({"src/ferry.ts": _TS, "tsconfig.json": _TSCONFIG})


_CONF = 'project = "Harbor"\nextensions = ["sphinx.ext.autodoc"]\n'
_INDEX = """\
Harbor
======

.. toctree::

   guide
   tides

See :ref:`depths` and :doc:`lost`.

.. autofunction:: quay.depth

.. code-blocks:: python
"""


def _docs(project: Project) -> None:
    project.write(
        {"docs/conf.py": _CONF, "docs/index.rst": _INDEX, "docs/guide.rst": "Guide\n=====\n", "docs/old.rst": "Old\n===\n"}
    )
    project.write({"mkdocs.yml": "site_name: Harbor\nnav:\n  - index.md\n  - tides.md\ndocs_dir: pages\n"})
    project.write({"pages/index.md": "# Harbor\n\n[depths](depths.md) [guide](guide.md#none)\n", "pages/guide.md": "# Guide\n"})


_JUSTFILE = """\
# show the timetable
default:
    @echo timetable of Ostervik

# run the tests
test *args:
    python -m pytest -q -p no:cacheprovider {{args}}

# copy to the quay
deploy host: test
    echo copying to {{host}}
"""


def _just(project: Project) -> None:
    _makes_tests(project)
    project.write({"justfile": _JUSTFILE})


_PYPROJECT = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n[project]\nname = "harbor"\n'


def _wheel(project: Project) -> None:
    project.write({"pyproject.toml": _PYPROJECT})


_compiler, _make, _js = partial(Recipe, "gcc"), partial(Recipe, "make"), partial(Recipe, tool="npx")

RECIPES = (
    _compiler("errors", "gcc -Wall -c ferry.c", _FERRY_ERRORS, _c, exit_code=1),
    _compiler(
        "templates",
        "g++ -std=c++20 -c quay.cpp",
        (
            "quay.cpp:11:14:   required from here",
            "error: no match for ‘operator-’",
            "quay.cpp:15:20: error: no matching function for call to",
            "quay.cpp:16:35: error: ‘const struct std::pair<const Ferry, int>’ has no member named ‘berths’",
            "error: no match for ‘operator<’",
        ),
        _c,
        exit_code=1,
        notes="a wall of templates; four mistakes",
    ),
    _compiler(
        "many-warnings",
        "gcc -Wall -Wextra -c fares.c",
        (
            "[-Wunused-variable]",
            "[-Wsign-compare]",
            "[-Wimplicit-fallthrough=]",
            "[-Wreturn-type]",
            "[-Wint-conversion]",
            "fares.c:60",
        ),
        _c,
    ),
    _compiler(
        "linker",
        "gcc main.c -o harbor",
        ("undefined reference to `board'", "undefined reference to `depth'", "collect2: error: ld returned 1 exit status"),
        _c,
        exit_code=1,
    ),
    _compiler(
        "no-header", "gcc -c nothing.c", ("nothing.c:1:10: fatal error: timetable.h: No such file or directory",), _c, exit_code=1
    ),
    _compiler(
        "french",
        "gcc -Wall -c ferry.c",
        ("ferry.c:4:8:", "ferry.c:11:12:", "ferry.c:15:5:", "ferry.c:16:13:"),
        _c,
        1,
        "gcc",
        locale="fr_FR.UTF-8",
    ),
    _compiler(
        "german",
        "gcc -Wall -c ferry.c",
        ("ferry.c:4:8:", "ferry.c:11:12:", "ferry.c:15:5:", "ferry.c:16:13:"),
        _c,
        1,
        "gcc",
        locale="de_DE.UTF-8",
    ),
    _compiler(
        "spanish",
        "gcc -Wall -c ferry.c",
        ("ferry.c:4:8:", "ferry.c:11:12:", "ferry.c:15:5:", "ferry.c:16:13:"),
        _c,
        1,
        "gcc",
        locale="es_ES.UTF-8",
    ),
    _make("fine", "make", ("-o harbor", "src/quay_11.o", "src/main.c"), _makes),
    _make(
        "errors",
        "make -k",
        (
            *(error.replace("ferry.c", "src/ferry.c") for error in _FERRY_ERRORS),
            "make: *** [Makefile:12: src/ferry.o] Error 1",
            "make: Target 'all' not remade because of errors.",
        ),
        _makes_wrong,
        2,
    ),
    _make(
        "tests",
        "make test",
        ("test_quays.py::test_depth", "assert 3 == 4", "1 failed, 30 passed", "make: *** [Makefile:15: test] Error 1"),
        _makes_tests,
        2,
        notes="what pytest prints goes to its own family",
    ),
    _make("recipe-fails", "make deploy", ("HOST is not set: say where to", "make: *** [Makefile:22: deploy] Error 4"), _makes, 2),
    _make("no-rule", "make shipp", ("No rule to make target 'shipp'",), _makes, 2),
    _make("dry-run", "make -n", ("-o harbor", "src/quay_7.c"), _makes),
    *(
        _make(
            name,
            "make -k sub src/ferry.o",
            ("guide.pdf", "Makefile:25", "src/ferry.c:4:8:", "src/ferry.c:15:5:"),
            _makes_wrong,
            2,
            locale=locale,
        )
        for name, locale in (("french", "fr_FR.UTF-8"), ("german", "de_DE.UTF-8"), ("spanish", "es_ES.UTF-8"))
    ),
    Recipe(
        "cmake",
        "configure",
        "cmake -S . -B build",
        ("-- Configuring done", "-- Build files have been written to: /home/dev/project/build"),
        _cmake,
    ),
    Recipe(
        "cmake",
        "missing-package",
        "cmake -S . -B build -DWITH_TIDES=ON",
        (
            "CMakeLists.txt:5 (find_package):",
            "FindTides.cmake",
            "TidesConfig.cmake",
            "-- Configuring incomplete, errors occurred!",
        ),
        _cmake,
        1,
    ),
    Recipe(
        "cmake",
        "build-fails",
        "cmake --build build",
        (
            "quay_2.c:1:28: error: ‘nn’ undeclared",
            "quay_2.c:1:33: error: ‘depth’ undeclared",
            "gmake: *** [Makefile:91: all] Error 2",
        ),
        _cmake_make_wrong,
        2,
    ),
    Recipe("ninja", "fine", "ninja -C build", ("[6/6] Linking C executable harbor",), _cmake_made),
    Recipe(
        "ninja",
        "fails",
        "ninja -C build",
        (
            "FAILED: CMakeFiles/quay.dir/src/quay_2.c.o",
            "quay_2.c:1:28: error: ‘nn’ undeclared",
            "quay_2.c:1:33: error: ‘depth’ undeclared",
            "ninja: build stopped: subcommand failed.",
        ),
        _cmake_wrong,
        1,
    ),
    Recipe(
        "meson",
        "missing-dependency",
        "meson setup build",
        ('meson.build:2:0: ERROR: Dependency "tides" not found', "meson-log.txt"),
        _meson,
        1,
    ),
    Recipe(
        "javac",
        "errors",
        "javac -Xlint:all src/harbor/Ferry.java src/harbor/Quay.java",
        (*_JAVA_ERRORS, "[rawtypes]", "4 errors"),
        _java,
        1,
    ),
    Recipe(
        "ant",
        "errors",
        "ant",
        (*_JAVA_ERRORS, "5 errors", "BUILD FAILED", "Compile failed; see the compiler error output for details."),
        _java,
        1,
    ),
    Recipe("ant", "fine", "ant", ("BUILD SUCCESSFUL", "harbor.jar"), _java_fine),
    Recipe(
        "maven",
        "errors",
        "mvn -o -B -Dmaven.repo.local=/usr/share/maven-repo compile",
        (
            "Ferry.java:[11,39] incompatible types: int cannot be converted to java.lang.String",
            "Ferry.java:[12,16] cannot find symbol",
            "Ferry.java:[16,9] cannot find symbol",
            "Ferry.java:[17,44] incompatible types",
            "BUILD FAILURE",
        ),
        _java,
        1,
    ),
    Recipe(
        "gradle",
        "task-fails",
        "gradle --offline --no-daemon tides",
        ("no tide table for Lunden", "Execution failed for task ':tides'.", "BUILD FAILED", "build.gradle' line: 2"),
        _java,
        1,
    ),
    Recipe(
        "gradle",
        "unknown-task",
        "gradle --offline --no-daemon tiddes",
        ("Task 'tiddes' not found in root project 'harbor'",),
        _java,
        1,
    ),
    _js("tsc", "errors", "npx tsc -p .", _TS_ERRORS, _typescript, 1),
    _js("npm-run", "tsc", "npm run build", _TS_ERRORS, _typescript, 1, notes="the script's output goes to the family of tsc"),
    _js(
        "npm-run",
        "webpack",
        "npm run bundle",
        ("Can't resolve './tides.js'", "Can't resolve 'moon-phase'", "compiled with 2 errors"),
        _javascript,
        1,
    ),
    _js(
        "webpack",
        "errors",
        "npx webpack",
        ("Can't resolve './tides.js'", "Can't resolve 'moon-phase'", "compiled with 2 errors"),
        _javascript,
        1,
    ),
    _js(
        "esbuild",
        "errors",
        "npx esbuild src/gone.js src/wrong.js --bundle --outdir=dist",
        (
            'Could not resolve "./tides.js"',
            'Could not resolve "moon-phase"',
            '"fee" is not declared in this file',
            "src/gone.js:1:21",
            "src/gone.js:2:17",
            "src/wrong.js:3:9",
        ),
        _javascript,
        1,
    ),
    _js(
        "rollup",
        "errors",
        "npx rollup src/gone.js -d dist",
        ('Could not resolve "./tides.js" from "src/gone.js"',),
        _javascript,
        1,
    ),
    _js("vite", "errors", "npx vite build", ("./tides.js", "src/gone.js"), _javascript_wrong, 1),
    _js("vite", "fine", "npx vite build", ("dist/index.html", "built in", "modules transformed"), _javascript),
    Recipe(
        "sphinx",
        "warnings",
        "sphinx-build -b html docs out",
        (
            "index.rst:4: WARNING: toctree contains reference to nonexisting document 'tides'",
            "No module named 'quay'",
            'Unknown directive type "code-blocks"',
            "undefined label: 'depths'",
            "unknown document: 'lost'",
            "old.rst: WARNING: document isn't included in any toctree",
            "build succeeded, 6 warnings.",
        ),
        _docs,
    ),
    Recipe("sphinx", "no-conf", "sphinx-build -b html pages out", ("conf.py",), _docs, 2),
    Recipe(
        "mkdocs",
        "strict",
        "mkdocs build --strict",
        (
            "'tides.md' is included in the 'nav' configuration, which is not found",
            "contains a link 'depths.md'",
            "Aborted with 2 warnings in strict mode!",
        ),
        _docs,
        1,
    ),
    Recipe(
        "just",
        "tests",
        "just test",
        (
            "test_quays.py::test_depth",
            "assert 3 == 4",
            "1 failed, 30 passed",
            "error: recipe `test` failed on line 7 with exit code 1",
        ),
        _just,
        1,
    ),
    Recipe("just", "list", "just --list", ("deploy host # copy to the quay", "test *args"), _just),
    Recipe("just", "unknown", "just tests", ("justfile does not contain recipe `tests`",), _just, 1),
    Recipe("python-build", "no-version", "python -m build -w -n", ("version", "ValueError"), _wheel, 1, tool="python"),
    Recipe("gh", "not-logged-in", "gh pr list", ("gh auth login",), exit_code=4),
)
