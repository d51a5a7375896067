function solve( { return 1; 
