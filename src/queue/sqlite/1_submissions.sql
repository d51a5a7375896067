CREATE TABLE submissions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL, problem TEXT NOT NULL,
    name TEXT NOT NULL, language TEXT, kind TEXT NOT NULL, priority TEXT NOT NULL, state TEXT NOT NULL,
    cancel_requested INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL, started_ms INTEGER, ended_ms INTEGER,
    judged_language TEXT, verdict TEXT, score INTEGER, max_score INTEGER, error TEXT,
    source BLOB NOT NULL, input BLOB, report TEXT
);
CREATE INDEX submissions_by_person ON submissions (person, number);
CREATE INDEX submissions_by_problem ON submissions (problem, number);
CREATE INDEX submissions_open ON submissions (number) WHERE state IN ('queued', 'running');
CREATE TABLE events (
    submission INTEGER NOT NULL, number INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (submission, number)
) WITHOUT ROWID;
