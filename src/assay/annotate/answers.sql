CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    storage TEXT NOT NULL,
    token BLOB UNIQUE,
    at TEXT NOT NULL
);
CREATE TABLE places (
    person INTEGER NOT NULL REFERENCES people,
    place INTEGER NOT NULL,
    key TEXT NOT NULL,
    shown TEXT NOT NULL,
    PRIMARY KEY (person, place),
    UNIQUE (person, key),
    UNIQUE (person, shown)
) WITHOUT ROWID;
CREATE TABLE answers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL REFERENCES people,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    said TEXT NOT NULL,
    done INTEGER NOT NULL,
    undoes INTEGER UNIQUE REFERENCES answers,
    request TEXT NOT NULL,
    at TEXT NOT NULL,
    digest TEXT,
    UNIQUE (person, key, version),
    UNIQUE (person, request)
);
CREATE INDEX answers_in_order ON answers (person, seq);
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
CREATE TRIGGER answers_are_kept BEFORE DELETE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never deleted'); END;
