package flat;

interface Sized {
    double area();
}
