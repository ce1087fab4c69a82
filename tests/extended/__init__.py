"""Domains for the example policies in the extended language, with problems made here."""
