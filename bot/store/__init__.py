"""The database: saved set-ups, battles and a few facts, in SQLite or PostgreSQL through SQLAlchemy."""
