-- Nothing is known about the conditions of earlier results, so they are neither compared nor reused.
ALTER TABLE jobs ADD COLUMN conditions TEXT;
DROP TABLE results;
CREATE TABLE results (
    key TEXT NOT NULL, conditions TEXT NOT NULL, job INTEGER NOT NULL, PRIMARY KEY (key, conditions)
) WITHOUT ROWID;
