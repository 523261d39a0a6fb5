"""The pages behind the tabs."""
