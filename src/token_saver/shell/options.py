"""Which options of which program take a value, so that the value is not mistaken for an operand.

Rows are program names or a program with its subcommand. Only options whose value is a separate word matter here: ``-n 5``,
``--context prod``; ``--context=prod`` explains itself. Taken from the manuals and ``--help`` texts of the programs.
"""

from __future__ import annotations

from token_saver.shell.script import names

_KUBE = (
    "-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --request-timeout -l "
    "--selector -o --output -f --filename -c --container --tail --since --field-selector --sort-by"
)
_DOCKER = "-c --context --config -H --host -l --log-level --tlscacert --tlscert --tlskey --connection --url"
_COMPOSE = "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress"
_NODE_PM = "--prefix -C --dir --cwd --filter -F -w --workspace --registry --loglevel --cache --userconfig --config"
_GREP = (
    "-e -f -A -B -C -m -d -D --regexp --file --after-context --before-context --context --max-count --include "
    "--exclude --exclude-dir --color --label"
)
_RG = (
    "-e -f -A -B -C -m -g -t -T -j -r -d -M -E -O --regexp --file --after-context --before-context --context "
    "--max-count --glob --iglob --type --type-not --threads --replace --max-depth --max-columns --sort "
    "--sortr --encoding --colors --color --engine --ignore-file --pre --pre-glob --type-add --max-filesize"
)
_PYTEST = (
    "-k -m -n -p -c -o -W -r --rootdir --ignore --deselect --maxfail --tb --cov-report --cov-config "
    "--junitxml --confcutdir --basetemp --durations --log-cli-level --log-level --import-mode --dist "
    "--numprocesses --timeout --color --ignore-glob --capture --junit-xml --report-log"
)
_CARGO = (
    "-p --package --bin --example --test --bench --features -F --target --target-dir --manifest-path "
    "--message-format --color --config -Z -C --profile -j --jobs --exclude"
)
_GO = (
    "-C -run -bench -count -timeout -tags -o -p -mod -coverprofile -cover -covermode -coverpkg -cpu -parallel "
    "-ldflags -gcflags -skip -json"
)
_JEST = (
    "-t -c --testNamePattern --config --testPathPattern --maxWorkers -w --reporters --coverageDirectory "
    "--rootDir --selectProjects --env"
)
_VITEST = (
    "-t -c -r --testNamePattern --config --root --dir --reporter --outputFile --mode --pool --project "
    "--environment --coverage.provider --coverage.reporter"
)
_GIT_LOG = "-n -S -G -L --author --grep --since --until --after --before --format --pretty --max-count --skip --date --committer"
_MAKE = "-C -f -I -o -W --directory --file --makefile --include-dir --old-file --what-if"

_TABLE = {
    "ag": "-A -B -C -G -m -g --ignore --depth",
    "ansible": "-i -m -a -u -l -e -f -t --inventory --limit --extra-vars",
    "ansible-playbook": "-i -u -l -e -f -t --inventory --limit --extra-vars --tags --skip-tags --start-at-task",
    "apt": "-o -c -t",
    "apt-get": "-o -c -t",
    "aws": ("--profile --region --output --endpoint-url --query --color --cli-read-timeout --cli-connect-timeout --ca-bundle"),
    "az": "--subscription -o --output --query -g --resource-group",
    "black": "-l -t -c --line-length --target-version --code --config --include --exclude --extend-exclude --workers",
    "bun": "--cwd --config -c --filter",
    "bundle": "--gemfile --path",
    "cargo": _CARGO,
    "composer": "-d --working-dir",
    "conda": "-n -p --name --prefix -c --channel -f --file",
    "ctest": "-R -E -L -LE -C -j -I --test-dir --tests-regex --exclude-regex --timeout --parallel",
    "cmake": "-S -B -G -D -C -T -A --build --target --config -j --parallel --install --preset",
    "curl": (
        "-X -H -d -o -u -A -e -b -c -F -T -w -m -x -K -E -r -y -Y -z --request --header --data --data-raw "
        "--data-binary --data-urlencode --output --user --user-agent --max-time --connect-timeout --retry "
        "--cacert --cert --key --proxy --write-out --form --url --resolve --cookie --json"
    ),
    "cut": "-d -f -c -b",
    "deno": "--config -c --import-map --allow-read",
    "docker": _DOCKER,
    "docker build": (
        "-t -f --tag --file --build-arg --target --platform --progress --network --cache-from --cache-to "
        "--output -o --secret --ssh --label"
    ),
    "docker compose": _COMPOSE,
    "docker images": "-f --filter --format",
    "docker logs": "-n --tail --since --until",
    "docker ps": "-f --filter --format -n --last",
    "docker run": (
        "-e -v -p -w -u -m -h -l --name --env --env-file --volume --publish --workdir --user --network "
        "--entrypoint --mount --memory --cpus --hostname --label --platform --restart --add-host --gpus "
        "--ulimit --shm-size --pull"
    ),
    "docker stats": "--format",
    "docker-compose": _COMPOSE,
    "dotnet": "-c -f -r -o -v --configuration --framework --runtime --output --verbosity --filter --logger --project",
    "df": "-t -x -B",
    "du": "-d -B -t --max-depth --block-size --exclude --threshold",
    "eslint": (
        "-c -f -o --config --format --ext --ignore-path --output-file --max-warnings --rule --parser --plugin "
        "--ignore-pattern --cache-location --resolve-plugins-relative-to"
    ),
    "fd": ("-e -t -E -d -S -x -X -j -c --extension --type --exclude --max-depth --min-depth --size --color --max-results --glob"),
    "fdfind": "-e -t -E -d -S -x -X -j -c --extension --type --exclude --max-depth",
    "flake8": "--config --select --ignore --extend-ignore --max-line-length --format --exclude --per-file-ignores",
    "flutter": "-d --device-id",
    "gcloud": "--project --account --format --configuration --filter --limit --region --zone",
    "gh": "-R --repo -L --limit -q --jq -t --template --json -H --head -B --base -s --state --hostname",
    "git": "-C -c --git-dir --work-tree --namespace --config-env --attr-source --exec-path --super-prefix",
    "git blame": "-L --since --ignore-rev",
    "git branch": "--format --sort --contains --merged --no-merged --points-at",
    "git clone": "-b -o -c -j --branch --depth --origin --config --jobs --reference",
    "git commit": "-m -F -C -c -t --message --file --author --date --fixup",
    "git diff": "-S -G -O --word-diff-regex --diff-filter",
    "git fetch": "-j --depth --jobs",
    "git grep": "-e -f -A -B -C -m -O",
    "git log": _GIT_LOG,
    "git push": "-o --push-option --repo",
    "git shortlog": "--since --until --format --group",
    "git show": "--format --pretty -S -G",
    "git tag": "-m -F -u --sort --format --contains",
    "glab": "-R --repo",
    "go": _GO,
    "golangci-lint": "-c -E -D --config --enable --disable --out-format --timeout --skip-dirs",
    "gradle": ("-p -b -c -x -I --project-dir --build-file --init-script --exclude-task --tests --console --max-workers"),
    "gradlew": ("-p -b -c -x -I --project-dir --build-file --init-script --exclude-task --tests --console --max-workers"),
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "hatch": "-e --env -p --project --config --data-dir --cache-dir",
    "head": "-n -c --lines --bytes",
    "helm": ("-n --namespace --kube-context --kubeconfig -f --values --set --set-string --version -o --output --timeout --repo"),
    "jest": _JEST,
    "jj": "-R --repository --config --config-toml",
    "journalctl": "-u -n -p -t -S -U -o -b -g --unit --lines --priority --since --until --output --grep --identifier",
    "jq": "--arg --argjson --slurpfile --rawfile --indent -L -f --from-file",
    "just": "-f -d --justfile --working-directory --set --shell",
    "kubectl": _KUBE,
    "oc": _KUBE,
    "make": _MAKE,
    "gmake": _MAKE,
    "meson": "-C --buildtype --prefix",
    "mocha": "-r -g -f -R -t -c --require --grep --fgrep --reporter --timeout --config --spec --ui --file",
    "mvn": "-f -s -gs -pl -P -T -rf --file --settings --projects --activate-profiles --threads",
    "mvnw": "-f -s -gs -pl -P -T -rf --file --settings --projects --activate-profiles --threads",
    "mypy": (
        "-m -p -c --module --package --command --config-file --python-version --exclude --cache-dir "
        "--follow-imports --python-executable --platform"
    ),
    "mysql": "-h -P -u -e -D --host --port --user --execute --database",
    "ninja": "-C -f -j -k -l -d -t",
    "node": (
        "-e -p -r -C --eval --print --require --import --conditions --env-file --test-name-pattern "
        "--test-reporter --test-concurrency"
    ),
    "nox": "-s -e -k -t -f -p --session --sessions --noxfile --keywords --tags --python",
    "npm": _NODE_PM,
    "nx": "-t -c -p --target --targets --configuration --projects --base --head",
    "pip": (
        "-r -c -e -t -i -f --requirement --constraint --editable --target --index-url --extra-index-url "
        "--find-links --python --log --proxy --cache-dir --only-binary --no-binary --prefix --root --timeout "
        "--retries --format --upgrade-strategy --trusted-host"
    ),
    "playwright": (
        "-c -g -j -x --config --grep --workers --reporter --project --retries --timeout --output --trace --repeat-each --shard"
    ),
    "pnpm": _NODE_PM,
    "podman": _DOCKER,
    "poetry": "-C -P --directory --project --with --without --only -E --extras -G --group --source",
    "pre-commit": "-c --config --hook-stage --from-ref --to-ref --color",
    "prettier": "--config --parser --print-width --tab-width --ignore-path --plugin --log-level --stdin-filepath",
    "psql": (
        "-h -p -U -d -c -f -o -v -P -F -R -L --host --port --username --dbname --command --file --output --set --variable --pset"
    ),
    "pulumi": "-C -s --cwd --stack --color -c --config",
    "pylint": (
        "-j -d -e --disable --enable --rcfile --output-format -f --jobs --load-plugins --max-line-length "
        "--ignore --ignore-patterns"
    ),
    "pyright": "-p -v --project --level --pythonversion --pythonplatform --venvpath --pythonpath",
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "python": "-c -m -W -X --check-hash-based-pycs",
    "rg": _RG,
    "rspec": "-f -o -e -t -I -r -P --format --out --example --tag --require --pattern --seed --order --options",
    "rsync": (
        "-e -f -T --rsh --filter --exclude --include --exclude-from --include-from --files-from --bwlimit "
        "--partial-dir --log-file"
    ),
    "ruff": (
        "--config --select --ignore --extend-select --extend-ignore --output-format --target-version "
        "--line-length --exclude --per-file-ignores --stdin-filename --color --fixable --unfixable -o "
        "--output-file --extension"
    ),
    "scp": "-P -i -F -o -J -l -c -S",
    "sed": "-e -f -l --expression --file --line-length",
    "sort": "-k -t -o -S -T --key --field-separator --output --buffer-size",
    "sqlite3": "-cmd -separator -nullvalue -init -newline",
    "ssh": "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w",
    "strace": "-e -o -p -s -u -E -P -a -S -b",
    "swift": "-c --configuration --package-path --filter --skip --target --product",
    "systemctl": "-H -M -n -o -p -t -s --host --machine --lines --output --property --type --state --signal",
    "tail": "-n -c -s --lines --bytes --pid --sleep-interval",
    "tar": "-f -C -T -X --file --directory --files-from --exclude --exclude-from --strip-components --transform",
    "task": "-d -t --dir --taskfile",
    "terraform": "-var -var-file -target -out -state -backend-config -lock-timeout -parallelism",
    "tofu": "-var -var-file -target -out -state -backend-config -lock-timeout -parallelism",
    "tox": "-e -c -f -x --conf --workdir --installpkg --result-json",
    "tree": "-L -I -P -H -T -o --filelimit --charset --sort --timefmt --gitfile --infofile --fromfile",
    "tsc": ("-p -b --project --target --module --outDir --rootDir --lib --jsx --moduleResolution --outFile --declarationDir"),
    "turbo": "--filter -F --cwd --concurrency --cache-dir --output-logs --log-order",
    "uv": (
        "--directory --project -p --python --config-file --cache-dir --color --extra --group --with "
        "--index-url --extra-index-url --index --default-index -r -c -e --package"
    ),
    "vagrant": "--machine-readable",
    "vitest": _VITEST,
    "watch": "-n -d --interval",
    "wc": "--files0-from",
    "wget": (
        "-O -o -P -t -T -U -e -i -a -Q -A -R -D --output-document --output-file --directory-prefix --tries "
        "--timeout --waitretry --header --user-agent --post-data --limit-rate --user --password"
    ),
    "yarn": _NODE_PM,
}

_BEFORE_SUBCOMMAND_ONLY = frozenset({"git", "docker", "podman"})
"""Programs whose own short options mean something else after the subcommand."""

_LONG_WITH_ONE_DASH = names(
    "cc clang clang++ ctest ffmpeg find g++ gcc gdb go gofmt java javac kotlinc openssl perf qemu rustc sqlite3 "
    "staticcheck terraform tofu xcodebuild mvn mvnw ansible-lint"
)
"""Programs whose options may be words after one dash, so that ``-run`` is not ``-r -u -n``."""

_made: dict[str, frozenset[str]] = {}


def takes_value(program: str, subcommand: str) -> frozenset[str]:
    """Return the options of *program* that take the next word as their value; *subcommand* is "" before it is reached."""
    key = f"{program} {subcommand}" if subcommand else program
    found = _made.get(key)
    if found is None:
        own = "" if subcommand and program in _BEFORE_SUBCOMMAND_ONLY else _TABLE.get(program, "")
        found = _made[key] = names(f"{own} {_TABLE.get(key, '') if subcommand else ''}")
    return found


def clusters(program: str) -> bool:
    """Tell whether ``-rn`` is ``-r -n`` for *program*."""
    return program not in _LONG_WITH_ONE_DASH
