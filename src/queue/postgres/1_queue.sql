CREATE TABLE submissions (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL,
    problem TEXT NOT NULL, name TEXT NOT NULL, language TEXT, kind TEXT NOT NULL, priority TEXT NOT NULL,
    state TEXT NOT NULL, cancel_requested BIGINT NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, started_ms BIGINT,
    ended_ms BIGINT, judged_language TEXT, verdict TEXT, score BIGINT, max_score BIGINT, error TEXT,
    source BYTEA NOT NULL, input BYTEA, report TEXT
);
CREATE INDEX submissions_by_person ON submissions (person, number);
CREATE INDEX submissions_by_problem ON submissions (problem, number);
CREATE TABLE events (
    submission BIGINT NOT NULL, number BIGINT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (submission, number)
);
CREATE TABLE own_tests (
    person TEXT NOT NULL, problem TEXT NOT NULL, number BIGINT NOT NULL, created_ms BIGINT NOT NULL,
    input BYTEA NOT NULL, answer BYTEA, PRIMARY KEY (person, problem, number)
);
CREATE TABLE jobs (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, submission TEXT NOT NULL, pool TEXT NOT NULL,
    priority TEXT NOT NULL, owner TEXT NOT NULL, needs TEXT NOT NULL, key TEXT NOT NULL, created_ms BIGINT NOT NULL,
    stage TEXT NOT NULL, epoch BIGINT NOT NULL, attempts BIGINT NOT NULL, worker TEXT, instance BIGINT, request BIGINT,
    lease_ms BIGINT NOT NULL, due_ms BIGINT NOT NULL, avoid TEXT NOT NULL, changed_ms BIGINT NOT NULL,
    ended_ms BIGINT, reason TEXT, outcome TEXT, report TEXT
);
CREATE INDEX jobs_open ON jobs (number) WHERE stage IN ('queued', 'running');
CREATE INDEX jobs_by_submission ON jobs (submission, number);
CREATE INDEX jobs_changed ON jobs (changed_ms);
CREATE TABLE workers (id TEXT PRIMARY KEY, aside TEXT);
CREATE TABLE results (key TEXT PRIMARY KEY, job BIGINT NOT NULL);
CREATE TABLE differences (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key TEXT NOT NULL, job BIGINT NOT NULL,
    worker TEXT NOT NULL, outcome TEXT NOT NULL
);
