"""What programs are known to do with the terminal, by name: a row is a kind, and the command lines it holds for.

``"docker logs ? -f --follow"`` holds for that subcommand when one of the words is among its options or operands,
``"docker stats ! --no-stream"`` unless one is. A word after ``=`` is the first operand behind the subcommand:
``"npm run = dev start"``. A ``*`` at the end of a word stands for any ending. Taken from the manuals of the programs.
"""

from __future__ import annotations

INTERACTIVE = "interactive"
ENDLESS = "never ends"
PRIVILEGED = "privileged"
IRREVERSIBLE = "irreversible"
RUNS_CODE = "runs other code"
FOR_PROGRAMS = "for a program"
QUIET = "nothing to gain"

TABLE = {
    INTERACTIVE: """
vi
vim
nvim
vimdiff
view
ex
nano
pico
joe
micro
hx
helix
kak
ed
emacs ! --batch -batch --script
emacsclient
code
subl
less
more
most
man
info
tig
lazygit
lazydocker
k9s
ranger
mc
nnn
ncdu ! -o
fzf
sk
dialog
whiptail
tmux
screen
script
expect
su
login
passwd
visudo
telnet
ftp
sftp ! -b
ipython
bpython
ptpython
irb
pry
ghci
jshell
R ! -e -f --file
julia ! -e -E -L
iex
erl ! -noshell -eval
lldb ! -b --batch
gdb ! -batch --batch -ex --version
pdb
ipdb
gitk
git gui
git rebase ? -i --interactive
git rebase = --edit-todo
git add ? -p -i -e --patch --interactive --edit
git checkout ? -p --patch
git restore ? -p --patch
git reset ? -p --patch
git commit ? -p --patch --interactive -e --edit
git commit ! -m -am -F -C -c* --message --file --reuse-message --no-edit --fixup --squash --dry-run
git mergetool
git difftool ! -y --no-prompt
git citool
git send-email
git credential
crontab ? -e
docker run ? -it -ti -i -t --interactive --tty
docker exec ? -it -ti -t --tty
docker attach
docker login ! -p --password --password-stdin
docker compose run ! -T
docker compose attach
podman run ? -it -ti -t --tty
kubectl edit
kubectl attach
kubectl exec ? -it -ti -t --tty
kubectl run ? -it -ti -t --tty
kubectl debug
oc edit
oc rsh
oc exec ? -it -ti -t --tty
npm login
npm adduser
npm init ! -y --yes
gh auth login
gh repo create ! --public --private --internal
gh pr create ! -f --fill --fill-first -t --title
gh issue create ! -t --title
aws configure ! list list-profiles get set
aws sso login
aws ssm start-session
gcloud auth login
gcloud init
az login
heroku login
vercel login
terraform console
terraform login
tofu console
rails console
rails c
rails dbconsole
mongosh ! --eval
mongo ! --eval
redis-cli ? --interactive
poetry shell
pipenv shell
hatch shell
nix-shell ! --run --command
nix develop ! -c --command
nix repl
guix shell
flutter run
pytest ? --pdb --trace
ssh ? -t -tt
visidata
vd
""",
    ENDLESS: """
watch
watchexec
entr
reflex
air
nodemon
fswatch
inotifywait ? -m --monitor
tail ? -f -F --follow --retry
journalctl ? -f --follow
dmesg ? -w -W --follow
kubectl logs ? -f --follow
kubectl get ? -w --watch --watch-only
kubectl port-forward
kubectl proxy
kubectl top ? -w --watch
kubectl events ? -w --watch
oc logs ? -f --follow
oc get ? -w --watch
stern
kail
docker logs ? -f --follow
docker stats ! --no-stream
docker events ! --until
docker compose up ! -d --detach --wait --exit-code-from --abort-on-container-exit --no-start
docker compose logs ? -f --follow
docker compose watch
docker compose events
docker-compose up ! -d --detach --wait --exit-code-from --abort-on-container-exit --no-start
docker-compose logs ? -f --follow
podman logs ? -f --follow
podman stats ! --no-stream
npm start
npm run = dev serve start watch preview storybook server develop
npm run ? --watch --watchAll
pnpm start
pnpm dev
pnpm run = dev serve start watch preview storybook server develop
yarn start
yarn dev
yarn serve
yarn watch
yarn run = dev serve start watch preview storybook server develop
bun dev
bun run = dev serve start watch preview storybook server develop
bun ? --watch --hot
deno run ? --watch
deno task = dev serve start watch
deno serve
make = dev serve watch start run-server runserver server
just = dev serve watch start
task = dev serve watch start
vite ! build optimize
vitest ! run --run list related bench
vitest ? --watch -w --ui
vitest watch
vitest dev
jest ? --watch --watchAll
mocha ? --watch -w
ava ? --watch -w
tsc ? -w --watch
tsx ? --watch
tsx watch
tsup ? --watch
swc ? -w --watch
babel ? -w --watch
esbuild ? --watch* --serve*
rollup ? -w --watch
webpack serve
webpack watch
webpack ? -w --watch --serve
webpack-dev-server
parcel ! build
next dev
next start
nuxt dev
nuxt start
nuxi dev
astro dev
astro preview
gatsby develop
gatsby serve
remix dev
svelte-kit dev
ng serve
ng test ! --watch=false --no-watch
vue-cli-service serve
react-scripts start
expo start
storybook dev
start-storybook
turbo run = dev start serve watch
turbo dev
turbo watch
nx serve
nx watch
nx run-many ? --watch
http-server
live-server
serve
json-server
wrangler dev
netlify dev
vercel dev
firebase serve
firebase emulators:start
http.server
flask run
uvicorn
gunicorn
hypercorn
daphne
waitress-serve
fastapi dev
fastapi run
celery worker
celery beat
rq worker
streamlit run
gradio
jupyter notebook
jupyter lab
jupyter-lab
jupyter-notebook
tensorboard
mlflow ui
mlflow server
dagster dev
prefect server
airflow webserver
airflow scheduler
airflow standalone
rails server
rails s
puma
unicorn
rackup
foreman start
overmind start
hivemind
honcho start
php ? -S
symfony serve
hugo server
hugo serve
jekyll serve
mkdocs serve
sphinx-autobuild
mdbook serve
zola serve
cargo watch
bacon
trunk serve
dotnet watch
gradle ? -t --continuous
gradlew ? -t --continuous
sbt ! test compile run package clean update
skaffold dev
tilt up
minikube tunnel
minikube dashboard
vagrant ssh
ping ! -c -n
ping6 ! -c
mtr ! -r --report -c
top ! -b -l
htop
btop
atop
iotop ! -b -n
iftop
nethogs
glances
nvtop
tcpdump ! -c -r
tshark ! -c -r -a
ngrok
cloudflared tunnel
nc ? -l -lk -lp
socat
yes
gh run watch
gh pr checks ? --watch
gh codespace ssh
redis-cli monitor
redis-cli ? --stat --latency* --monitor
adb logcat ! -d
xcrun simctl
log stream
dstat
strace ? -p
ltrace ? -p
perf top
perf stat ? -I
pm2 logs ! --nostream
pm2 monit
heroku logs ? -t --tail
fly logs ! -n --no-tail
aws logs tail ? --follow
aws ? --cli-auto-prompt
stripe listen
ssh ? -N -f -L -R -D
""",
    PRIVILEGED: """
sudo
doas
pkexec
runuser
sudoedit
""",
    IRREVERSIBLE: """
git push ? -f --force --force-with-lease --force-if-includes --delete -d --mirror --prune
git reset ? --hard
git clean
git branch ? -D
git tag ? -d --delete
git stash drop
git stash clear
git reflog expire
git reflog delete
git filter-branch
git filter-repo
git update-ref ? -d
git checkout ? -f --force
git switch ? -f --force --discard-changes
git rm ? -f --force
find ? -delete
kubectl delete
kubectl drain
kubectl replace ? --force
kubectl apply ? --prune --force
oc delete
terraform apply
terraform destroy
terraform state rm
terraform state mv
terraform state push
terraform force-unlock
terraform workspace delete
tofu apply
tofu destroy
tofu state rm
tofu state mv
pulumi up
pulumi update
pulumi destroy
pulumi stack rm
cdktf deploy
cdk deploy
cdk destroy
sam deploy
sam delete
cdktf destroy
terragrunt apply
terragrunt destroy
terragrunt run-all
serverless deploy
serverless remove
docker system prune
docker volume rm
docker volume prune
docker image prune
docker image rm
docker container prune
docker container rm
docker network rm
docker network prune
docker builder prune
docker rmi
docker rm
docker kill
docker compose down ? -v --volumes --rmi
docker compose rm
docker-compose down ? -v --volumes --rmi
docker-compose rm
docker push
podman rm
podman rmi
podman system prune
podman volume rm
helm uninstall
helm delete
helm rollback
aws s3 rm
aws s3 rb
aws s3 mv
aws s3 sync ? --delete
gsutil rm
gsutil rb
npm publish
npm unpublish
npm deprecate
pnpm publish
yarn publish
yarn npm publish
cargo publish
cargo yank
gem push
gem yank
twine upload
uv publish
poetry publish
flit publish
hatch publish
gh repo delete
gh repo archive
gh release delete
gh pr merge
gh api ? -X --method -f -F --field --raw-field --input
gh workflow run
curl ? -X --request -d --data* -F --form* -T --upload-file --json
wget ? --post-data --post-file --method --delete-after
rsync ? --delete* --remove-source-files
dropdb
mysqladmin drop
redis-cli flushall
redis-cli flushdb
firebase deploy
rails db:drop
rails db:reset
alembic downgrade
prisma migrate reset
""",
    RUNS_CODE: """
git ? --exec-path --upload-pack --receive-pack --ext-diff -O --open-files-in-pager --config-env --exec -x
git bisect run
git submodule foreach
git rebase ? --exec -x
find ? -exec -execdir -ok -okdir -fprint -fprintf -fls
fd ? -x -X --exec --exec-batch
fdfind ? -x -X --exec --exec-batch
rg ? --pre
tar ? --to-command --checkpoint-action -I --use-compress-program --rmt-command
sort ? --compress-program
rsync ? -e --rsh
eval
parallel
""",
    FOR_PROGRAMS: """
git ? --porcelain -z --null --output
git ls-files ? -z
git diff ? --name-only --raw --patch-with-raw --binary -z
git show ? --name-only --raw --binary -z
git diff-tree
git diff-index
git format-patch
git rev-list
git for-each-ref
git cat-file
git hash-object
git archive
git bundle
git log ? --format* --pretty=format* --pretty=tformat* -z --raw --name-only
git branch ? --format*
git tag ? --format*
git stash show ? --patch-with-raw
docker ps ? -q --quiet
docker images ? -q --quiet
docker inspect ? -f --format
docker container ls ? -q --quiet
docker volume ls ? -q --quiet
docker network ls ? -q --quiet
docker compose ps ? -q --quiet
docker compose config ? -q --quiet --services --images --hash
podman ps ? -q --quiet
podman inspect ? -f --format
kubectl ? --template
find ? -print0 -printf
rg ? -0 --null
grep ? -Z --null -z --null-data
egrep ? -Z --null -z
fgrep ? -Z --null -z
ls ? --zero
du ? -0 --null
psql ? -t -A -At -tA --tuples-only --no-align --csv
mysql ? -N -B --batch --skip-column-names --silent
sqlite3 ? -csv -separator
gh ? -q --jq -t --template
aws ? --generate-cli-skeleton
xmllint
base64
xxd
od
hexdump
openssl
gpg
""",
    QUIET: """
git add ! -n -v --dry-run --verbose
git mv ! -n -v --dry-run --verbose
git rev-parse
git config ? --get --get-all
git remote get-url
git symbolic-ref
git merge-base
git init
git apply
git update-index
git diff ? --quiet
git branch ? --show-current
grep ? -q --quiet --silent
egrep ? -q --quiet --silent
fgrep ? -q --quiet --silent
rg ? -q --quiet
git show-ref
git check-ignore
git var
pip ? --version -V
which
whoami
hostname
pwd
date
uname
nproc
basename
dirname
realpath
readlink
mktemp
seq
expr
""",
}
