"""The work of each command of the command line, in a module of its name."""
