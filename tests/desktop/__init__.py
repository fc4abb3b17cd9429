"""Tests of the window on the offscreen platform."""
