-- A tree in PostgreSQL, and an outbox with every change of the tree, in the order of the commits.

CREATE TABLE entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    path text NOT NULL UNIQUE CHECK (path ~ '^(/[^/]+)+$'),
    type text NOT NULL CHECK (type IN ('directory', 'file')),
    words text NOT NULL
);

-- The entries below a directory are a range of this index, in every locale of the database.
CREATE INDEX entry_below ON entry (path COLLATE "C");

CREATE TABLE outbox (
    version bigint PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('put', 'rename', 'delete')),
    entry bigint,
    document text,
    source text,
    destination text,
    done boolean NOT NULL DEFAULT false
);

CREATE INDEX outbox_open ON outbox (version) WHERE NOT done;

-- The last version. A sequence is not suitable, because it assigns numbers before the commit. A reader may then see version 8 before
-- version 7, and would index version 7 after version 8. The row of this table is locked until the end of the transaction. The next
-- transaction receives its version after this end. So a reader that sees version 8 also sees all earlier versions. The disadvantage is that
-- changes of the tree run one after the other.
CREATE TABLE tree_version (version bigint NOT NULL);
INSERT INTO tree_version VALUES (0);

CREATE FUNCTION next_version() RETURNS bigint LANGUAGE sql AS
    'UPDATE tree_version SET version = version + 1 RETURNING version';

CREATE FUNCTION parent_of(path text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(nullif(regexp_replace(path, '/[^/]*$', ''), ''), '/') $$;

CREATE PROCEDURE require_directory(directory text) LANGUAGE plpgsql AS $$
BEGIN
    IF directory <> '/' AND NOT EXISTS (SELECT FROM entry WHERE path = directory AND type = 'directory') THEN
        RAISE EXCEPTION 'there is no directory %', directory;
    END IF;
END $$;

CREATE PROCEDURE create_entry(new_path text, new_type text, new_words text) LANGUAGE plpgsql AS $$
DECLARE
    change bigint := next_version();
BEGIN
    CALL require_directory(parent_of(new_path));
    WITH created AS (
        INSERT INTO entry (path, type, words) VALUES (new_path, new_type, new_words) RETURNING *)
    INSERT INTO outbox (version, kind, entry, document)
    SELECT change, 'put', id, json_build_object('path', path, 'parent', parent_of(path),
        'name', regexp_replace(path, '^.*/', ''), 'type', type, 'words', words)
    FROM created;
END $$;

CREATE PROCEDURE edit_entry(edited text, new_words text) LANGUAGE plpgsql AS $$
DECLARE
    change bigint := next_version();
BEGIN
    WITH changed AS (
        UPDATE entry SET words = new_words WHERE path = edited RETURNING *)
    INSERT INTO outbox (version, kind, entry, document)
    SELECT change, 'put', id, json_build_object('path', path, 'parent', parent_of(path),
        'name', regexp_replace(path, '^.*/', ''), 'type', type, 'words', words)
    FROM changed;
END $$;

CREATE PROCEDURE delete_file(deleted text) LANGUAGE plpgsql AS $$
DECLARE
    change bigint := next_version();
BEGIN
    WITH gone AS (
        DELETE FROM entry WHERE path = deleted AND type = 'file' RETURNING id)
    INSERT INTO outbox (version, kind, entry) SELECT change, 'delete', id FROM gone;
END $$;

-- One transaction updates the rows and adds one line to the outbox. If the destination exists, the unique index refuses the update.
CREATE PROCEDURE rename_entry(source text, destination text) LANGUAGE plpgsql AS $$
DECLARE
    change bigint := next_version();
BEGIN
    CALL require_directory(parent_of(destination));
    IF starts_with(destination, source || '/') THEN
        RAISE EXCEPTION '% lies below %', destination, source;
    END IF;
    UPDATE entry SET path = destination || substr(path, length(source) + 1)
    WHERE path = source
        OR (path COLLATE "C" >= source || '/' AND path COLLATE "C" < source || '0');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no %', source;
    END IF;
    INSERT INTO outbox (version, kind, source, destination) VALUES (change, 'rename', source, destination);
END $$;
