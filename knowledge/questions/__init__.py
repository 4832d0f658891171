"""What a question asks for as a whole: its parts, how they combine, and how much work it is."""
