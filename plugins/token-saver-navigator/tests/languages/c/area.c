#include "area.h"
#include <math.h>

static int counter = 0;

/* The square of a value. */
double square(double value)
{
    return pow(value, LIMIT); /* square */
}

static double *area(struct shape *shape)
{
    counter = square(shape->sides);
    return 0;
}
