"""What operates software: transfers, archives, documents, databases, tables of the system, tracers and debuggers."""

from __future__ import annotations

import json

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_BROKEN = """#include <stdlib.h>
#include <stdio.h>

struct order { int id; int *lines; };

static int total(struct order *order) { return order->lines[2] + order->id; }

int main(void) {
    struct order *order = malloc(sizeof *order);
    order->id = 7;
    order->lines = NULL;
    printf("order %d\\n", order->id);
    return total(order);
}
"""

_LEAKING = """#include <stdlib.h>

static char *label(void) { return malloc(40); }

int main(void) {
    char *one = label();
    char *two = label();
    free(two);
    return two[3];
}
"""

_STACK = """resource "terraform_data" "shelf" {
  count = 3
  input = "shelf-${count.index}"
}

resource "terraform_data" "label" {
  input = { colour = "blue", size = 12 }
}

output "shelves" {
  value = terraform_data.shelf[*].output
}
"""


def _parcels(project: Project) -> None:
    """Many small files in three folders, packed in advance."""
    names = [f"depot/{area}/{number:03}-{area}.txt" for area in ("north", "south", "harbour") for number in range(60)]
    project.write(dict.fromkeys(names, "parcel\n"))
    project.write({"depot/README.md": "# Depot\n"})
    project.settle()
    project.shell("tar czf depot.tgz depot && zip -qr depot.zip depot && sha256sum depot/north/*.txt > sums")
    project.shell("echo x >> depot/north/007-north.txt")


def _orders(project: Project) -> None:
    orders = [{"id": n, "customer": f"customer {n % 7}", "total": n * 3, "status": "sent"} for n in range(400)]
    orders[217]["status"] = "refused"
    project.write({"orders.json": json.dumps({"orders": orders, "page": 1}), "lines.ndjson": "\n".join(map(json.dumps, orders))})
    rows = ",".join(f"({n}, 'customer {n % 7}', {n * 3}, '{'refused' if n == 217 else 'sent'}')" for n in range(400))
    schema = "create table orders (id integer primary key, customer text not null, total integer, status text);"
    project.write({"fill.sql": f"{schema}\ninsert into orders values {rows};\n"})
    project.shell("sqlite3 shop.db < fill.sql")


def _program(project: Project) -> None:
    project.write({"order.c": _BROKEN, "leak.c": _LEAKING})
    project.shell("gcc -g -O0 order.c -o order && gcc -g -O0 leak.c -o leak")


def _versions(project: Project) -> None:
    old = [f"setting_{number} = {number}" for number in range(120)]
    new = [*old[:30], "setting_30 = 31", *old[31:80], "added = true", *old[80:]]
    project.write({"old.conf": "\n".join(old) + "\n", "new.conf": "\n".join(new) + "\n"})
    project.settle()


def _stack(project: Project) -> None:
    project.write({"main.tf": _STACK})
    project.shell("terraform init -no-color > /dev/null")


def _stands(project: Project) -> None:
    _stack(project)
    project.shell("terraform apply -auto-approve -no-color > /dev/null")


def _wrong(project: Project) -> None:
    project.write({"main.tf": _STACK.replace("terraform_data.shelf[*]", "terraform_data.shelves[*]")})
    project.shell("terraform init -no-color > /dev/null; true")


RECIPES = (
    Recipe("curl", "refused", "curl http://127.0.0.1:9/health", ("curl: (7) Failed to connect to 127.0.0.1",), exit_code=7),
    Recipe("curl", "verbose-refused", "curl -v http://127.0.0.1:9/health", ("curl: (7)", "Trying 127.0.0.1:9"), exit_code=7),
    Recipe("wget", "refused", "wget --tries=1 http://127.0.0.1:9/parcels.tgz", ("failed: Connection refused",), exit_code=4),
    Recipe("archives", "tar-list", "tar -tzvf depot.tgz", ("README.md", "harbour", "depot"), _parcels),
    Recipe("archives", "tar-names", "tar -tzf depot.tgz", ("README.md", "059-harbour.txt"), _parcels),
    Recipe("archives", "unzip-list", "unzip -l depot.zip", ("README.md", "059-harbour.txt"), _parcels),
    Recipe("archives", "sums", "sha256sum -c sums", ("007-north.txt: FAILED", "1 computed checksum did NOT match"), _parcels, 1),
    Recipe("archives", "missing", "tar czf out.tgz depot nothing-here", ("nothing-here: Cannot stat",), _parcels, 2),
    Recipe("jq", "compact", 'jq -c ".orders[] | {id, status}" orders.json', ('"refused"',), _orders),
    Recipe("jq", "document", "jq . orders.json", ('"refused"', "217"), _orders),
    Recipe("jq", "error", 'jq ".orders[] | .lines.first.sku" lines.ndjson', ("Cannot iterate over null",), _orders, 5),
    Recipe("sqlite", "table", 'sqlite3 -header -column shop.db "select * from orders"', ("customer", "1197"), _orders),
    Recipe("sqlite", "box", 'sqlite3 -box shop.db "select * from orders where id < 12"', ("customer 4", "33"), _orders),
    Recipe("sqlite", "error", 'sqlite3 shop.db "select * from order_lines"', ("no such table: order_lines",), _orders, 1),
    Recipe(
        "diff", "unified", "diff -u old.conf new.conf", ("-setting_30 = 30", "+setting_30 = 31", "+added = true"), _versions, 1
    ),
    Recipe("diff", "plain", "diff old.conf new.conf", ("< setting_30 = 30", "> added = true"), _versions, 1),
    Recipe(
        "debuggers",
        "gdb-backtrace",
        'gdb -batch -ex run -ex "bt full" ./order',
        ("SIGSEGV", "order.c:6", "total (order="),
        _program,
    ),
    Recipe(
        "debuggers",
        "valgrind-leak",
        "valgrind --error-exitcode=1 --leak-check=full ./leak",
        ("Invalid read of size 1", "leak.c:9", "definitely lost"),
        _program,
        1,
    ),
    Recipe("strace", "missing-file", "strace cat parcels.txt", ("ENOENT", "parcels.txt", "exited with 1"), exit_code=1),
    Recipe("terraform", "plan", "terraform plan -no-color", ("terraform_data.label will be created", "Plan: 4 to add"), _stack),
    Recipe(
        "terraform", "destroy", "terraform destroy -auto-approve -no-color", ("terraform_data.shelf[2]", "4 destroyed"), _stands
    ),
    Recipe(
        "terraform", "wrong", "terraform validate -no-color", ("Reference to undeclared resource", "main.tf line 11"), _wrong, 1
    ),
    Recipe("kubectl", "no-cluster", "kubectl get pods -o wide", ("connection to the server",), exit_code=1),
    Recipe("docker", "no-daemon", "docker ps -a", ("Cannot connect to the Docker daemon",), exit_code=1),
    Recipe("rsync", "progress", "rsync -av --progress depot/ copy/", ("README.md", "harbour", "total size is"), _parcels),
    Recipe("rsync", "missing", "rsync -av nothing-here/ copy/", ("No such file or directory", "code 23"), exit_code=23),
)
