"""Makes the package for Debian and its kin from the bundle, and the repository that its updates come from."""
