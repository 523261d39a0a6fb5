"""What the shop is made of: records, changes, quota and errors. Pure standard library, no input or output."""
