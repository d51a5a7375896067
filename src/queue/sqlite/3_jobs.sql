CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, submission TEXT NOT NULL, pool TEXT NOT NULL, priority TEXT NOT NULL,
    owner TEXT NOT NULL, needs TEXT NOT NULL, key TEXT NOT NULL, created_ms INTEGER NOT NULL, stage TEXT NOT NULL,
    epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, worker TEXT, instance INTEGER, request INTEGER,
    lease_ms INTEGER NOT NULL, due_ms INTEGER NOT NULL, avoid TEXT NOT NULL, changed_ms INTEGER NOT NULL,
    ended_ms INTEGER, reason TEXT, outcome TEXT, report TEXT
);
CREATE INDEX jobs_open ON jobs (number) WHERE stage IN ('queued', 'running');
CREATE INDEX jobs_by_submission ON jobs (submission, number);
CREATE TABLE workers (id TEXT PRIMARY KEY, aside TEXT) WITHOUT ROWID;
CREATE TABLE results (key TEXT PRIMARY KEY, job INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE differences (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL, job INTEGER NOT NULL, worker TEXT NOT NULL, outcome TEXT NOT NULL
);
-- Submissions that were not judged by an earlier version. Their keys are unique, so none takes another's result.
INSERT INTO jobs (submission, pool, priority, owner, needs, key, created_ms, stage, epoch, attempts, lease_ms, due_ms,
        avoid, changed_ms, ended_ms)
    SELECT id, 'local', priority, person, '[]', 'submission ' || id, created_ms,
        CASE cancel_requested WHEN 0 THEN 'queued' ELSE 'cancelled' END, 0, 0, 0, 0, '[]', created_ms,
        CASE cancel_requested WHEN 0 THEN NULL ELSE created_ms END
    FROM submissions WHERE state IN ('queued', 'running') ORDER BY number;
UPDATE submissions SET started_ms = NULL, ended_ms = CASE cancel_requested WHEN 0 THEN NULL ELSE created_ms END,
        state = CASE cancel_requested WHEN 0 THEN 'queued' ELSE 'cancelled' END
    WHERE state IN ('queued', 'running');
