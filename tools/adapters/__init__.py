"""Tools of other worlds as tools of ours: LangChain, MCP servers, plug-ins."""
