-- A store as version 1 of the schema kept it: k/a created, updated; k/b created, deleted; k/c created; history from 1002 on.
PRAGMA application_id = 0x4f475257;
PRAGMA journal_mode = WAL;
CREATE TABLE log (
  revision INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  previous INTEGER NOT NULL,
  value TEXT,
  written INTEGER NOT NULL
) STRICT;
CREATE TABLE horizon (compacted INTEGER NOT NULL) STRICT;
INSERT INTO horizon VALUES (1002);
INSERT INTO log VALUES
  (1001, 'k/a', 0, '{"n":1,"name":"é𝄞"}', 1700000000000),
  (1002, 'k/b', 0, '{"n":2}', 1700000000001),
  (1003, 'k/a', 1001, '{"n":3}', 1700000000002),
  (1004, 'k/b', 1002, NULL, 1700000000003),
  (1005, 'k/c', 0, '', 1700000000004);
PRAGMA user_version = 1;
