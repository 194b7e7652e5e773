from __future__ import annotations

import pytest

from token_saver.shell.behaviour import behaviour
from token_saver.shell.behaviour_table import (
    ENDLESS,
    FOR_PROGRAMS,
    INTERACTIVE,
    IRREVERSIBLE,
    PRIVILEGED,
    QUIET,
    RUNS_CODE,
    TABLE,
)
from token_saver.shell.command_line import CommandLine

_KNOWN = {
    "": """
git status
git log -3
git log --follow src/a.py
git stash list
git stash show -p
git commit -m "say why"
git -c core.pager=cat log
GIT_PAGER=cat git log
git -c color.ui=always diff
python app.py
python -c 'print(1)'
node -e 1
bash build.sh
psql -c 'select 1'
mysql -e 'show create table drop_log'
sqlite3 a.db 'select 1'
npm test
npm run build
npx vitest run
npx vite build
jest --watch=false
docker ps -a
docker ps --format 'table {{.ID}}'
docker compose up -d
docker logs web
kubectl get pods -o json
kubectl exec web -- ls
make test
vmstat 1 3
top -bn1
tail -n 50 log
ssh host uptime
ENV=test npm test
curl -s https://example.invalid
find . -name '*.py'
rg -l needle
ping -c 3 host
""",
    INTERACTIVE: """
vim a.py
less a.txt
python
uv run python -i app.py
node
bash
psql
mysql -u root
sqlite3 a.db
ssh host
ssh -t host top
docker exec -it web bash
docker run --rm -ti image
kubectl exec -it web -- sh
git rebase -i HEAD~3
git add -p
git stash -p
git commit
pytest --pdb
poetry shell
""",
    ENDLESS: """
watch git status
tail -f log
tail -F log
journalctl -fu nginx
kubectl logs -f web
kubectl get pods -w
docker logs --follow web
docker stats
docker compose up
npm run dev
npm start
yarn dev
pnpm run serve
vite
npx vitest
jest --watchAll
tsc --watch
next dev
python -m http.server
flask run
uvicorn app:app
rails server
make serve
vmstat 1
top
ping host
esbuild a.js --serve=8000
timeout 5 tail -f log
""",
    PRIVILEGED: """
sudo systemctl status nginx
sudo -u x git status
timeout 5 sudo ls
doas ls
""",
    IRREVERSIBLE: """
git push --force origin main
git push -f
git push origin +main
git push origin :main
git reset --hard
git clean -fd
git branch -D x
git stash clear
git checkout -- a.py
find . -delete
aws ec2 terminate-instances --instance-ids i
aws s3 rm s3://x --recursive
gcloud projects delete p
az group delete -n x -y
helm uninstall x
pulumi destroy --yes
cdktf destroy
docker compose down -v
kubectl delete pod x
terraform apply -auto-approve
psql -c 'DROP DATABASE x'
mysql -e 'select 1; DROP TABLE x'
psql -c 'with a as (select 1) delete from b'
curl -X DELETE https://example.invalid
gh api -X DELETE repos/x/y
rsync -a --delete a/ b/
npm publish
""",
    RUNS_CODE: """
find . -exec rm {} +
git -c core.pager="sh -c x" log
git -C a -c alias.x=!sh x
git log --ext-diff
GIT_EXTERNAL_DIFF=./x git diff
env LD_PRELOAD=./x.so ls
git rebase --exec ./x main
tar xf a.tar --to-command=sh
rg --pre ./x needle
git bisect run ./x
""",
    FOR_PROGRAMS: """
git status --porcelain
git ls-files -z
git diff --name-only
git log --format=%H
docker ps -q
docker ps --format '{{.ID}}'
kubectl get pods -o name
kubectl get pods -o jsonpath='{.items}'
grep -rlZ needle .
psql -At -c 'select 1'
aws ec2 describe-instances --output text
base64 a.bin
""",
    QUIET: """
git rev-parse HEAD
git diff --quiet
grep -q needle a.txt
git apply --check a.patch
pytest --version
which git
""",
}


@pytest.mark.parametrize(
    ("kind", "command"), [(kind, each) for kind, text in _KNOWN.items() for each in text.strip().split("\n")]
)
def test_what_a_command_does_is_known(kind: str, command: str) -> None:
    assert behaviour(CommandLine(command)) == kind


def test_a_prompt_that_is_fed_is_none() -> None:
    assert behaviour(CommandLine("python -"), fed=True) == ""
    assert behaviour(CommandLine("psql"), fed=True) == ""
    assert behaviour(CommandLine("tail -f x"), fed=True) == ENDLESS


def test_every_kind_of_the_table_is_proved_here() -> None:
    assert set(TABLE) == set(_KNOWN) - {""}
