// without the header: its functions are declared by themselves
double halved(double v) { return v * 0.5; }

double quarter(double v) { return halved(halved(v)); }
