package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EarlyRefreshTest {

    private final List<String> refreshes = new CopyOnWriteArrayList<>();
    private final StubNode node = StubNode.answering(request -> {
        refreshes.add(request.path());
        return new StubNode.Answer(200, "{}");
    });
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    @Test
    void refreshes_every_25000_documents_up_to_300000() {
        EarlyRefresh refresh = new EarlyRefresh(elastic, "files-1", Runnable::run);
        refresh.written(24_999);
        assertThat(refreshes).isEmpty();
        refresh.written(1);
        assertThat(refreshes).hasSize(1);

        for (int documents = 25_000; documents < 1_000_000; documents += 1_000) {
            refresh.written(1_000);
        }

        assertThat(refreshes).isEqualTo(Collections.nCopies(12, "/files-1/_refresh"));
    }

    @Test
    void runs_one_refresh_at_a_time() {
        List<Runnable> running = new ArrayList<>();
        EarlyRefresh refresh = new EarlyRefresh(elastic, "files-1", running::add);
        refresh.written(25_000);
        refresh.written(25_000);
        assertThat(running).hasSize(1);

        running.getFirst().run();
        refresh.written(1);

        assertThat(running).hasSize(2);
    }
}
