"""What a learning run leaves on disk, so that it can go on after it was stopped.

`journal`  the results of the run in order: what a resumed run need not work out again
`folder`   the folder with the journal and all that it is about: inputs, options, log, best policy
"""
