package org.treerename.benchmark;

import java.time.Duration;
import java.util.List;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;

/**
 * What all sides of renames of files are played on.
 *
 * @param length for how long a side with few renames under way sends in one play
 */
record FileGround(
        Setting setting,
        Tree tree,
        Engine engine,
        GuideLockDocuments documents,
        GuideLocks trees,
        Costs costs,
        Duration length) {

    /** With more under way a side is played a second longer for each so many. */
    static final int SATURATED_A_SECOND = 1_000;

    Guide guide(FilePool files) {
        return new Guide(setting.stage().es(), documents, trees, tree.name(), files);
    }

    BulkUpdates bulks(FilePool files, int renames) {
        return new BulkUpdates(setting.stage().es(), tree.name(), files, renames);
    }

    /** A side of so many clients, with what its renames cost. */
    Side side(String name, List<Role> roles, FilePool files, int count, Client client) {
        // long enough for the rate while it is saturated to decide, not for its last renames
        Duration whole = setting.tiny() ? length : length.plusSeconds(count / SATURATED_A_SECOND);
        Clients clients = new Clients(count, whole);
        return costs.side(
                name, roles, tree::settle, () -> clients.work(setting.time(), client), () -> requireInPlace(files));
    }

    /** What must be so after each play. */
    private void requireInPlace(FilePool files) {
        files.requireInPlace();
        documents.requireNoneLeft();
        trees.requireNoneLeft();
    }
}
