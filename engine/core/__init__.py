"""Types, errors and ports shared by every stage; imports nothing of ours."""
