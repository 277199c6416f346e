int a[3] = {1,2,3,4}; struct s {int x,y;} s = {.z = 1};
