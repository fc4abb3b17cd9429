"""The seam between window and engine: requests go out on lanes, frozen values and events come back."""
