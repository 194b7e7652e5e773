"""docker build: BuildKit in both of its forms, and the classic builder (formats as documented; no daemon runs in tests)."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

HEAD = """\
#0 building with "default" instance using docker driver

#1 [internal] load build definition from Dockerfile
#1 transferring dockerfile: 512B done
#1 DONE 0.0s

#2 [internal] load metadata for docker.io/library/python:3.12-slim
#2 DONE 0.9s

#5 [1/4] FROM docker.io/library/python:3.12-slim@sha256:aaaabbbbccccddddeeeeffff0000111122223333444455556666777788889999
#5 resolve docker.io/library/python:3.12-slim@sha256:aaaabbbbccccddddeeeeffff0000111122223333444455556666777788889999 done
#5 sha256:1111 1.05MB / 29.13MB 0.1s
#5 sha256:1111 12.58MB / 29.13MB 0.3s
#5 sha256:1111 29.13MB / 29.13MB 0.5s done
#5 extracting sha256:1111 1.2s done
#5 DONE 2.2s

#6 [2/4] WORKDIR /srv
#6 CACHED

#7 [3/4] RUN pip install -r requirements.txt
"""
INSTALL = "".join(f"#7 {1 + n / 10:.3f} Collecting harbor-{n}==1.{n}\n" for n in range(30))
FINE = """\
#7 DONE 6.1s

#8 exporting to image
#8 exporting layers 0.4s done
#8 writing image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 done
#8 naming to docker.io/library/harbor:1.2 done
#8 DONE 0.5s
"""
FAILED = """\
#7 4.512 ERROR: Could not find a version that satisfies the requirement tide==9.9 (from versions: 1.0, 2.0)
#7 4.512 ERROR: No matching distribution found for tide==9.9
#7 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1
------
 > [3/4] RUN pip install -r requirements.txt:
4.512 ERROR: Could not find a version that satisfies the requirement tide==9.9 (from versions: 1.0, 2.0)
4.512 ERROR: No matching distribution found for tide==9.9
------
Dockerfile:4
--------------------
   2 |     WORKDIR /srv
   3 |     COPY requirements.txt .
   4 | >>> RUN pip install -r requirements.txt
   5 |     COPY . .
--------------------
ERROR: failed to solve: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1
"""


def test_a_failed_step_says_why_and_where(engine: CompressionEngine) -> None:
    result = engine.run("docker build -t harbor .", HEAD + INSTALL + FAILED, 1)
    assert result.processor == "docker_build"
    for must in (
        "No matching distribution found for tide==9.9",
        "from versions: 1.0, 2.0",
        "Dockerfile:4",
        "4 | >>> RUN pip install -r requirements.txt",
        "failed to solve: process",
        "exit code: 1",
        "#7 [3/4] RUN pip install -r requirements.txt",
    ):
        assert must in result.output
    assert result.output.count("No matching distribution found") == 1
    assert "12.58MB / 29.13MB" not in result.output


def test_a_build_that_went_through_tells_steps_and_image(engine: CompressionEngine) -> None:
    output, _, _ = engine.compress("docker buildx build --load .", HEAD + INSTALL + FINE, 0)
    for must in (
        "#7 [3/4] RUN pip install",
        "#6 [2/4] WORKDIR /srv",
        "naming to docker.io/library/harbor:1.2",
        "sha256:9f86d081884c7d65",
    ):
        assert must in output
    assert "[… 30 lines of a step's output, " in output
    assert len(output) < len(HEAD + INSTALL + FINE) * 0.4


def test_steps_that_run_side_by_side_are_kept_apart(engine: CompressionEngine) -> None:
    mixed = HEAD + "#9 [web 2/3] RUN npm ci\n"
    mixed += "".join(f"#7 {n}.1 Collecting a-{n}\n#9 {n}.2 npm http fetch GET 200 b-{n}\n" for n in range(12))
    mixed += "#9 12.5 npm ERR! code E404\n#9 12.5 npm ERR! 404 not found: quay@1\n"
    mixed += '#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n#7 CANCELED\n'
    output, _, _ = engine.compress("docker compose build", mixed, 17)
    assert "#9 12.5 npm ERR! 404 not found: quay@1" in output
    assert "#7 CANCELED" in output and "Collecting a-3" not in output


def test_the_form_for_terminals(engine: CompressionEngine) -> None:
    text = """\
[+] Building 12.3s (8/9) FINISHED                                  docker:default
 => [internal] load build definition from Dockerfile                       0.0s
 => => transferring dockerfile: 512B                                       0.0s
 => [1/4] FROM docker.io/library/python:3.12-slim                          0.0s
 => CACHED [2/4] WORKDIR /srv                                              0.0s
 => ERROR [3/4] RUN make                                                   2.1s
------
 > [3/4] RUN make:
1.882 make: *** No rule to make target 'all'.  Stop.
------
ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2
"""
    output, _, _ = engine.compress("docker build .", text, 1)
    assert " => ERROR [3/4] RUN make" in output and "No rule to make target 'all'" in output
    assert "exit code: 2" in output and "transferring" not in output


def test_the_classic_builder(engine: CompressionEngine) -> None:
    steps = "".join(
        f"Step {n}/9 : RUN step-{n}\n ---> Running in {n:012x}\n" + "".join(f"line {k} of step {n}\n" for k in range(20))
        for n in range(1, 9)
    )
    fine = (
        steps
        + "Step 9/9 : CMD serve\n ---> Using cache\n ---> abcdefabcdef\n"
        + "Successfully built abcdefabcdef\nSuccessfully tagged harbor:1\n"
    )
    output, _, _ = engine.compress("podman build .", fine, 0)
    assert "Step 4/9 : RUN step-4" in output and "line 7 of step 4" not in output
    assert "Successfully tagged harbor:1" in output
    bad = steps + "The command '/bin/sh -c step-8' returned a non-zero code: 5\n"
    output, _, _ = engine.compress("docker build .", bad, 5)
    assert "line 19 of step 8" in output and "returned a non-zero code: 5" in output and "line 3 of step 2" not in output


def test_other_commands_of_docker_are_read_by_others(engine: CompressionEngine) -> None:
    assert engine.run("docker ps", HEAD, 0).attempted != "docker_build"
    assert engine.run("docker compose -f harbor.yml build web", HEAD, 0).attempted == "docker_build"
