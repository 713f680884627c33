"""What a model may propose, and how it becomes a patch."""
