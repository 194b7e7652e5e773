#include "area.hpp"

using Size = double;

int main() {
    auto shape = new flat::Shape(2);
    return flat::square(shape->area());
}
