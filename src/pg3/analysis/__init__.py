"""Questions about a policy or a domain: explain, challenge, certify, doctor, score, evaluate."""
