-- A database of version 1.
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
INSERT INTO submissions VALUES(1,'11111111111111111111111111111111','local','classic-nim','a.py',NULL,'submit','person','finished',0,1700000000000,1700000000001,1700000000900,'python','PT',30500,100000,NULL,X'7072696e74',NULL,NULL);
INSERT INTO submissions VALUES(2,'22222222222222222222222222222222','zoë','classic-nim','a.cpp','C++','input','person','running',0,1700000000002,1700000000003,NULL,NULL,NULL,NULL,NULL,NULL,X'',X'310a',NULL);
INSERT INTO submissions VALUES(3,'33333333333333333333333333333333','zoë','sum','a.c',NULL,'samples','batch','queued',1,1700000000004,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'',NULL,NULL);
INSERT INTO events VALUES(2,0,'{"event":"case_started","case":"tiny/001","group":"tiny","number":0,"run":"22222222222222222222222222222222","at_ms":1.5}');
PRAGMA user_version = 1;
