#ifndef AREA_H
#define AREA_H
#define LIMIT 3
#define TWICE(x) ((x) * 2)
struct shape {
    double sides;
};
typedef double size_type;
/* The square of a value. */
double square(double value);
#endif
