"""How the window looks: two themes made from one set of named colours."""
