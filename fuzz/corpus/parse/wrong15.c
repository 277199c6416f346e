void f(int x) { switch (x) { case 1: case 1: break; default: default: ; } break; continue; }
