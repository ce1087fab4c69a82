"""What `pg3 learn` makes of a set of domains: `python -m benchmarks.learners SET [DOMAIN...]`.

`sets`     the sets: for each domain its training and test problems, as files
`measure`  one domain learned and its policy executed, in processes of their own
`results`  the file of results
`tables`   the results as Markdown, also of two versions side by side
"""
