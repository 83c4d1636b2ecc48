package org.treerename.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads changes of the tree from the table {@code outbox} of the database, in the order of their commits. Leaves out
 * changes that are marked as done.
 */
final class Outbox implements AutoCloseable {

    /** A change of the tree in the database: a written document, a deleted document or a rename. */
    sealed interface Change {
        long version();

        record Put(long version, long entry, String document) implements Change {}

        record Delete(long version, long entry) implements Change {}

        record Rename(long version, String source, String destination) implements Change {}
    }

    /**
     * The key of the lock that all publishers use. One publisher at a time holds the lock. The database releases the
     * lock when the publisher's connection ends.
     */
    private static final long LOCK = 0x7265_6e61_6d65L;

    private static final int PAGE = 500;

    private final Connection database;

    private Outbox(Connection database) {
        this.database = database;
    }

    /** Opens the outbox. Blocks while another publisher has the outbox open. */
    static Outbox open(String url) throws SQLException {
        Connection database = DriverManager.getConnection(url);
        try (PreparedStatement lock = database.prepareStatement("SELECT pg_advisory_lock(?)")) {
            lock.setLong(1, LOCK);
            lock.execute();
        }
        return new Outbox(database);
    }

    /** Returns the oldest changes that are not done, in the order of their commits; empty if all changes are done. */
    List<Change> next() throws SQLException {
        String sql = "SELECT version, kind, entry, document, source, destination FROM outbox"
                + " WHERE NOT done ORDER BY version LIMIT " + PAGE;
        List<Change> changes = new ArrayList<>();
        try (PreparedStatement select = database.prepareStatement(sql);
                ResultSet row = select.executeQuery()) {
            while (row.next()) {
                long version = row.getLong("version");
                changes.add(
                        switch (row.getString("kind")) {
                            case "put" -> new Change.Put(version, row.getLong("entry"), row.getString("document"));
                            case "delete" -> new Change.Delete(version, row.getLong("entry"));
                            default ->
                                new Change.Rename(version, row.getString("source"), row.getString("destination"));
                        });
            }
        }
        return changes;
    }

    /** Marks this change and all earlier changes as done. */
    void done(Change change) throws SQLException {
        try (PreparedStatement update =
                database.prepareStatement("UPDATE outbox SET done = true WHERE NOT done AND version <= ?")) {
            update.setLong(1, change.version());
            update.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
