"""Which calls need a person, what that person decides, and that each approved call is made once."""
