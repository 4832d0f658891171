"""Looks up a numbered part (第十二条, Section 3.2, 附件二, Table 4) by its label, never by what it resembles."""
