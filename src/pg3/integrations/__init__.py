"""pg3 in other programs: exports of policies, unified-planning."""
