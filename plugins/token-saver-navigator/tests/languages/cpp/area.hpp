#pragma once

namespace flat {

/// Something flat.
class Shape {
public:
    explicit Shape(double sides) : sides_(sides) {}
    double area() const;

private:
    double sides_;
};

template <typename T>
T square(T value) {
    return value * value;
}

}  // namespace flat
