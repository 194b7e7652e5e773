"""conda and mamba, after their documented formats: they cannot be installed where the tests are written."""

from __future__ import annotations

import json

from token_saver.engine import CompressionEngine

PLAN = """\
Collecting package metadata (current_repodata.json): ...working... done
Solving environment: ...working... done

## Package Plan ##

  environment location: /opt/conda/envs/sea

  added / updated specs:
    - tide=2.0

The following NEW packages will be INSTALLED:

  libtide            conda-forge/linux-64::libtide-2.0.3-h5eee18b_0
  tide               conda-forge/noarch::tide-2.0.3-pyhd8ed1ab_0


Downloading and Extracting Packages: ...working...
libtide-2.0.3        | 1.2 MB    | ########## | 100%
tide-2.0.3           | 12 KB     | ########## | 100%
Preparing transaction: ...working... done
Verifying transaction: ...working... done
Executing transaction: ...working... done
#
# To activate this environment, use
#
#     $ conda activate sea
#
# To deactivate an active environment, use
#
#     $ conda deactivate
"""


def test_the_plan_and_how_to_activate_stay(engine: CompressionEngine) -> None:
    result, processor, _ = engine.compress("conda create -y -n sea tide=2.0", PLAN, exit_code=0)
    assert processor == "conda"
    for kept in ("environment location: /opt/conda/envs/sea", "libtide-2.0.3-h5eee18b_0", "tide-2.0.3-pyhd8ed1ab_0"):
        assert kept in result
    assert "$ conda activate sea" in result and "Executing transaction: ...working... done" in result
    assert "########" not in result and "[… 4 steps" not in result


def test_what_cannot_be_solved_is_told_whole(engine: CompressionEngine) -> None:
    reason = (
        "Could not solve for environment specs\nThe following packages are incompatible\n"
        "├─ ferry 1.2**  is installable with the potential options\n│  └─ tide >=2.0 , which can be installed;\n"
        "└─ tide 1.0**  is not installable because it conflicts with any installable versions previously reported.\n"
    )
    text = (
        f"Channels:\n - conda-forge\nCollecting package metadata (repodata.json): done\nSolving environment: failed\n\n{reason}"
    )
    result, _, _ = engine.compress("conda install ferry=1.2 tide=1.0", text, exit_code=1)
    assert "Solving environment: failed" in result and reason.strip() in result


def test_a_list_keeps_names_and_versions(engine: CompressionEngine) -> None:
    rows = "".join(f"{f'library-{n}':25} {f'2.{n}.0':10} py311h5eee18b_{n}      conda-forge\n" for n in range(150))
    result, _, _ = engine.compress("conda list", f"# packages in environment at /opt/conda:\n#\n{rows}", exit_code=0)
    assert all(f"library-{n}" in result and f"2.{n}.0" in result for n in range(150))
    assert "# packages in environment at /opt/conda:" in result


def test_json_parses(engine: CompressionEngine) -> None:
    rows = [
        {"name": f"p{n}", "version": f"{n}.0", "build_string": "h_0", "base_url": "https://host.example/x"} for n in range(90)
    ]
    result, _, _ = engine.compress("mamba list --json", json.dumps(rows, indent=2), exit_code=0)
    assert all(f'"p{n}"' in result for n in range(90)) and json.loads(result)
