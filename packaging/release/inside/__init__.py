"""What is inside a bundle, by reading it: packages, modules, libraries, and the licences of all of them."""
