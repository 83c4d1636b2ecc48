package org.treerename.endtoend;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.endtoend.CaughtMove.Carrying;
import org.treerename.runtime.SystemTime;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;

/** The only node of an Elasticsearch is killed in the middle of a move and comes back: all wait for it and go on. */
final class SingleNodeCrashIT {

    @TempDir
    private static Path folder;

    private static ElasticsearchServer server;
    private static Elasticsearch elasticsearch;
    private static Log topics;
    private static Services janitors;

    @BeforeAll
    static void start() {
        server = ElasticsearchServer.start(ElasticsearchSettings.in(folder).withHeap("512m"));
        elasticsearch = Elasticsearch.at(server.url());
        Tree.createIn(elasticsearch);
        topics = Log.open();
        janitors = CaughtMove.janitors(elasticsearch);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        topics.close();
        server.kill();
    }

    @ParameterizedTest(name = "while a {0} moves")
    @EnumSource
    void nobodyIsFencedAndTheRenameEnds(Carrying carrying) {
        try (CaughtMove move = CaughtMove.begin(elasticsearch, topics, janitors, carrying)) {
            server.kill();
            new SystemTime().pause(CaughtMove.LEASE.multipliedBy(2));
            server.restart();
            move.awaitOutcome();
            move.assertNothingWasLostAndNobodyFenced();
        }
    }
}
