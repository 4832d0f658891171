"""The decisions of a run as models make them: a prompt, a lenient reply, and the typed result that rules give, too.

Every function here raises `ModelError` or `BudgetExceededError` where a model gives nothing usable, and leaves what
then happens to its caller. Output limits are the model's own: a reply is kept short by its prompt, not by cutting.
"""
