"""Which tool a question is for: hard rules first, then what a tool says of itself; never a guess."""
