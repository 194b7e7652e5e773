"""The next run shown as the difference to the last one: what is kept, how it is compared, how it is told."""
