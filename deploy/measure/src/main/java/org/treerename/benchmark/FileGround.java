package org.treerename.benchmark;

import java.time.Duration;
import java.util.List;
import org.treerename.benchmark.Clients.Client;
import org.treerename.benchmark.Rounds.Side;

/**
 * The objects that all sides of the file renames use.
 *
 * @param length the time of one measurement, without the additional seconds for many concurrent renames
 */
record FileGround(
        Setting setting,
        Tree tree,
        Engine engine,
        GuideLockDocuments documents,
        GuideLocks trees,
        Costs costs,
        Duration length) {

    /** The number of concurrent renames for which a measurement takes one additional second. */
    static final int SATURATED_A_SECOND = 1_000;

    /** The largest concurrency of a worker. All other requests wait in Kafka and in the queue of the worker. */
    static final int MOST_IN_PROGRESS = 1_000;

    Guide guide(FilePool files) {
        return new Guide(setting.stage().es(), documents, trees, tree.name(), files);
    }

    BulkUpdates bulks(FilePool files, int renames) {
        return new BulkUpdates(setting.stage().es(), tree.name(), files, renames);
    }

    /** Returns a side with this number of clients. The side also measures the processor time of its renames. */
    Side side(String name, List<Role> roles, FilePool files, int count, Client client) {
        // the load decreases while the clients finish their last renames; with many clients, this takes longer, so the
        // measurement is also longer
        Duration whole = setting.tiny() ? length : length.plusSeconds(count / SATURATED_A_SECOND);
        Clients clients = new Clients(count, whole);
        return costs.side(
                name, roles, tree::settle, () -> clients.work(setting.time(), client), () -> requireInPlace(files));
    }

    /** Checks that each file is at the expected path, and that no lock of the guide is left. */
    private void requireInPlace(FilePool files) {
        files.requireInPlace();
        documents.requireNoneLeft();
        trees.requireNoneLeft();
    }
}
