module example.org/flat

go 1.22
