"""What every test may use, and the one server that those marked `neo4j` share."""

pytest_plugins = ("tests.neo4j_fixture",)
