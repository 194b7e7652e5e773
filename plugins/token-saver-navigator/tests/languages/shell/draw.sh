. ./area.sh

draw() {
  echo "square"
  square 2 | twice
}
trap draw EXIT
