"""What a model may propose, and how it is judged before anything happens.

A model is shown a summary of the run and answers with operations out of a closed set.
`judge` holds them against what the model was shown, `patch_of` turns them into one
patch for the gate. Nothing here writes, and nothing here asks a model.
"""
