"""What tests share and is no test: random problems, the harness, judges, waiting, pages."""
