"""What documents are about and where they name one another."""
