"""The demo shop: a real HTTP service that does all of the pet store specification.

It stands alone and imports nothing of the program outside this package, so that it can judge the program. Nothing heavy
is imported here; the command line imports `petstore_desktop.demo.command` for its options only.
"""
