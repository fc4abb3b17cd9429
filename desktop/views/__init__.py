"""What fills the window: one class a view. Views emit what the user wants and show what they are given."""
