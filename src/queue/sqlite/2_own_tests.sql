CREATE TABLE own_tests (
    person TEXT NOT NULL, problem TEXT NOT NULL, number INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    input BLOB NOT NULL, answer BLOB, PRIMARY KEY (person, problem, number)
) WITHOUT ROWID;
