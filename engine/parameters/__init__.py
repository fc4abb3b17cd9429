"""Limit tables as data: records made from parsed tables, questions turned to queries, answers computed by code."""
