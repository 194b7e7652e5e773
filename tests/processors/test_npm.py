"""npm: what its cases cannot say."""

from __future__ import annotations

import json

import pytest

from token_saver.engine import CompressionEngine


def test_vulnerabilities_and_deprecations_stay(engine: CompressionEngine) -> None:
    deprecated = "".join(f"npm warn deprecated old-{n}@1.0.{n}: this module is not supported, use new-{n}\n" for n in range(12))
    text = (
        f"{deprecated}\nadded 406 packages, and audited 407 packages in 9s\n\n94 packages are looking for funding\n"
        "  run `npm fund` for details\n\n3 vulnerabilities (1 moderate, 2 high)\n\nTo address all issues, run:\n"
        "  npm audit fix\n\n"
        "Run `npm audit` for details.\n"
    )
    result, _, _ = engine.compress("npm install", text, exit_code=0)
    assert all(f"old-{n}@1.0.{n}" in result for n in range(12))
    assert "use new-0\n" in result and "use new-11" not in result
    assert "3 vulnerabilities (1 moderate, 2 high)" in result and "added 406 packages" in result
    assert "looking for funding" not in result


@pytest.mark.parametrize("says", ["npm error", "npm ERR!"])
def test_an_error_stays_in_both_ways_of_writing_it(engine: CompressionEngine, says: str) -> None:
    lines = [
        "code ERESOLVE",
        "ERESOLVE unable to resolve dependency tree",
        "",
        "While resolving: app@0.1.0",
        "Found: react@18.2.0",
    ]
    text = "".join(f"{says} {line}".rstrip() + "\n" for line in [*lines, "", "peer react", "", "", "canceled", *["x" * 60] * 5])
    result, _, _ = engine.compress("npm install", text, exit_code=1)
    assert all(f"{says} {line}" in result for line in lines if line)
    assert f"{says} canceled\n" in result
    assert f"{says}\n" not in result


def test_the_usage_behind_an_error_is_counted(engine: CompressionEngine) -> None:
    usage = "".join(f"npm error   --option-{n}\nnpm error     what it does\nnpm error\n" for n in range(20))
    text = f"npm error lock file out of sync\nnpm error Usage:\n{usage}"
    text += 'npm error Run "npm help ci" for more info\n'
    result, _, _ = engine.compress("npm ci", text, exit_code=1)
    assert "npm error lock file out of sync" in result
    assert "[… 61 lines of usage]" in result


def test_an_engine_that_does_not_fit_is_told_on_one_line(engine: CompressionEngine) -> None:
    block = (
        "npm warn EBADENGINE Unsupported engine {\nnpm warn EBADENGINE   package: 'tide@2.0.3',\n"
        "npm warn EBADENGINE   required: { node: '>=22' },\nnpm warn EBADENGINE   current: { node: 'v20.1.0', npm: '10.1.0' }\n"
        "npm warn EBADENGINE }\n"
    )
    result, _, _ = engine.compress("npm install", block + "added 1 package\n", exit_code=0)
    told = "npm warn EBADENGINE Unsupported engine { package: 'tide@2.0.3', required: { node: '>=22' },"
    assert result.startswith(told)


@pytest.mark.parametrize("command", ["npm run build", "npm test", "npm start", "npm exec tool"])
def test_nothing_of_a_script_s_own_output_is_guessed(engine: CompressionEngine, command: str) -> None:
    inner = "12 packages are looking for funding\n  run `npm fund` for details\nnpm notice\nresult: 42\n"
    text = f"\n> app@1.0.0 build\n> tool --all\n\n{inner}"
    result, _, _ = engine.compress(command, text, exit_code=0)
    assert "12 packages are looking for funding" in result and "result: 42" in result
    assert "> tool --all" in result


def test_the_address_of_a_dev_server_stays(engine: CompressionEngine) -> None:
    text = "\n> app@1.0.0 dev\n> vite\n\n  VITE v5.4.10  ready in 412 ms\n\n  ➜  Local:   http://localhost:5173/\n"
    text += "".join(f"10:{n % 60:02}:03 [vite] hmr update /src/part{n}.vue\n" for n in range(200))
    result, _, _ = engine.compress("npm run dev", text, exit_code=None)
    assert "http://localhost:5173/" in result and len(result) < len(text)


def test_problems_of_a_large_tree_stay(engine: CompressionEngine) -> None:
    rows = "".join(f"├─┬ p{n}@1.{n}.0\n│ └── shared@2.0.0 deduped\n" for n in range(400))
    text = f"app@1.0.0 /home/dev/app\n{rows}├── extra@1.0.0 extraneous\n└── UNMET DEPENDENCY gone@^3.0.0\n"
    text += "\nnpm error code ELSPROBLEMS\n"
    result, _, _ = engine.compress("npm ls --all", text, exit_code=1)
    assert "extra@1.0.0 extraneous" in result and "UNMET DEPENDENCY gone@^3.0.0" in result
    assert "400 repeated packages]" in result and "npm error code ELSPROBLEMS" in result


def test_json_parses_and_keeps_names_and_versions(engine: CompressionEngine) -> None:
    inner = {
        f"p{n}": {"version": f"1.{n}.0", "resolved": "https://host.example/" + "x" * 60, "overridden": False} for n in range(60)
    }
    result, _, _ = engine.compress("npm ls --json", json.dumps({"name": "app", "dependencies": inner}, indent=2), exit_code=0)
    kept = json.loads(result)["dependencies"]
    assert all(kept[f"p{n}"]["version"] == f"1.{n}.0" for n in range(60))


def test_an_audit_keeps_names_severities_and_addresses(engine: CompressionEngine) -> None:
    found = "".join(
        f"lib{n}  <2.{n}.0\nSeverity: high\nPrototype pollution in lib{n} - https://advisories.example/A-{n}\n"
        f"fix available via `npm audit fix`\nnode_modules/lib{n}\n  user{n}  <=1.{n}.0\n"
        f"  Depends on vulnerable versions of lib{n}\n  node_modules/user{n}\n\n"
        for n in range(20)
    )
    result, _, _ = engine.compress("npm audit", f"# npm audit report\n\n{found}40 vulnerabilities (40 high)\n", exit_code=1)
    assert all(f"lib{n}  <2.{n}.0" in result and f"A-{n}\n" in result and f"user{n}  <=1.{n}.0" in result for n in range(20))
    assert "40 vulnerabilities (40 high)" in result and " lines of dependents and places]" in result
