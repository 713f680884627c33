"""Whether two sentences contradict each other: rules, and measures where none applies.

`values` reads numbers, units and dates; `sentences` parts a sentence into what it says
them of, what it denies and what it names; `rules` holds two sentences against each
other; `measures` and `weights` give the odds where no rule tells.
"""
