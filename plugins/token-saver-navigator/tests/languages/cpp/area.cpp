#include "area.hpp"

namespace flat {

// Return its size.
double Shape::area() const {
    return square(sides_);
}

}
