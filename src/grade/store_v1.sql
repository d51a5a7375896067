-- A database of version 1, as commit 0d7b726 wrote it.
CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO "contents" VALUES('8f0125fa592c2be86d74282a35258884c4af2647ffb75823205410c79604eee7',X'696E74206D61696E28297B7D');
CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, student TEXT NOT NULL, problem TEXT NOT NULL,
    was TEXT, now TEXT NOT NULL, why TEXT NOT NULL);
CREATE TABLE marks (student TEXT, problem TEXT, mark TEXT NOT NULL, PRIMARY KEY (student, problem)) WITHOUT ROWID;
CREATE TABLE rejudges (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, why TEXT NOT NULL, done INTEGER NOT NULL);
INSERT INTO "rejudges" VALUES(1,3,'new tests',0);
CREATE TABLE results (
    key TEXT PRIMARY KEY, problem TEXT NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL, limits TEXT NOT NULL,
    toolchain TEXT NOT NULL, isolation TEXT NOT NULL, rejudge INTEGER NOT NULL, at INTEGER NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "results" VALUES('62a1a982437a01d2b0d3b9608a9bed75bc136d24e17821d4cfa271901bdd9ef7','nim','7d1aa223722b2aaa89b92fc6b2ef0baa709c01eab9f8494b1de5c335f2750707','c0b3081dcbf1d917bc294a7e2f3a6aa588f61205318d4e0048c47367a23567aa','3a45f48a3231ff420da071cc6af267d228945d7f23271e6f4318465a0eef5903','dd9765724d63cedb171573e96d87aad8c17ca281055f5b639c94761ea2da5c9e','A',0,1700000000,'{"verdict":"CE","score":"0","max_score":"40","language":"","refusal":"it is empty","groups":[],"cases":[],"failing":[]}');
INSERT INTO "results" VALUES('abababababababababababababababababababababababababababababababab','nim','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','0101010101010101010101010101010101010101010101010101010101010101','0202020202020202020202020202020202020202020202020202020202020202','0303030303030303030303030303030303030303030303030303030303030303','B',1,1700000001,'{"verdict":"WA","score":"0","max_score":"100","language":"cpp","refusal":null,"groups":[{"group":"sample","verdict":"WA","score":"0","max_score":"0"}],"cases":[{"c":"sample/001","g":0,"v":"AC","t":"858us","m":"1280KiB"},{"c":"tiny/027","g":1,"v":null,"t":"0s","m":"0B"}],"failing":[{"case":"sample/003","group":"sample","verdict":"WA","exit":{"code":0},"input":{"text":"3\n7 7 7\n","cut":false},"expected":{"text":"1 7\n","cut":false},"actual":{"text":"3 7\n","cut":false},"difference":{"expected_line":1,"expected_column":1,"actual_line":1,"actual_column":1,"index":1,"expected":"1","actual":"3","message":"token 1: expected `1`, found `3`"},"stderr":"","message":null},{"case":"zero/005","group":"zero","verdict":"RTE","exit":{"code":101},"input":{"text":"1000\n598738825 19898","cut":true},"expected":{"text":"No\n","cut":false},"actual":{"text":"","cut":false},"difference":null,"stderr":"\nthread ''main'' (114) panicked at main.rs","message":null}]}');
CREATE INDEX results_by_source ON results (source, problem);
PRAGMA user_version = 1;
