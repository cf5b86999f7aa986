"""The faces: command line, REST, MCP."""
