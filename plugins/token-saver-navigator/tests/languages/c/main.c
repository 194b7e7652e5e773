#include "area.h"

typedef double (*operation)(double);
static operation table[] = { square };

int main(void)
{
    struct shape one;
    return (int)square(TWICE(one.sides));
}
