#!/bin/bash
LIMIT=3

# The square of a value.
square() {
  echo $(($1 * $1))
}

function twice {
  square "$1" # square
}
