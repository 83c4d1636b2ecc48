package org.treerename.benchmark;

import java.time.Duration;
import java.util.List;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;

/**
 * The objects that all sides of the file renames share.
 *
 * @param length the time in which a side with few concurrent renames sends requests in one play
 */
record FileGround(
        Setting setting,
        Tree tree,
        Engine engine,
        GuideLockDocuments documents,
        GuideLocks trees,
        Costs costs,
        Duration length) {

    /** A side is played one second longer for each such number of concurrent renames. */
    static final int SATURATED_A_SECOND = 1_000;

    Guide guide(FilePool files) {
        return new Guide(setting.stage().es(), documents, trees, tree.name(), files);
    }

    BulkUpdates bulks(FilePool files, int renames) {
        return new BulkUpdates(setting.stage().es(), tree.name(), files, renames);
    }

    /** Returns a side with this number of clients, which also measures the costs of its renames. */
    Side side(String name, List<Role> roles, FilePool files, int count, Client client) {
        // long enough that the saturated rate determines the figure, and not the last renames
        Duration whole = setting.tiny() ? length : length.plusSeconds(count / SATURATED_A_SECOND);
        Clients clients = new Clients(count, whole);
        return costs.side(
                name, roles, tree::settle, () -> clients.work(setting.time(), client), () -> requireInPlace(files));
    }

    /** Checks the files and the locks after each play. */
    private void requireInPlace(FilePool files) {
        files.requireInPlace();
        documents.requireNoneLeft();
        trees.requireNoneLeft();
    }
}
