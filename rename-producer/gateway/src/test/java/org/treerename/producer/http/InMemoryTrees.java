package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.InMemoryJournal;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.namespace.Namespace;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.forecast.Pace;
import org.treerename.producer.reader.InMemoryPointsInTime;
import org.treerename.producer.reader.TreeViews;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.store.InMemoryControlIndex;

/** Opens views of the namespace {@code files}, whose documents are in memory. No rename is in progress. */
final class InMemoryTrees implements Trees {

    final InMemoryPointsInTime points = new InMemoryPointsInTime();
    volatile @Nullable RuntimeException failure;
    private final TreeViews views;

    InMemoryTrees(Time time) {
        InMemoryControlIndex control = new InMemoryControlIndex();
        InMemoryLockStore locks = new InMemoryLockStore(control);
        views = new TreeViews(locks, new InMemoryJournal(control, locks), points, time);
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return name.equals("files") ? Optional.of(Namespace.ofFiles("files", "files")) : Optional.empty();
    }

    @Override
    public List<JsonNode> definitions() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return List.of(
                Json.stored("{\"namespace\":\"files\",\"definition\":{\"index\":\"files\"}}"),
                Json.stored("{\"namespace\":\"logs\",\"definition\":{\"index\":\"logs\"}}"));
    }

    @Override
    public Forecast forecast(RenameRequest request) {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return new Forecast(
                new TreeMap<>(Map.of("files", 3L)),
                List.of(new Forecast.Obstacle(Status.REJECTED, Reason.DESTINATION_EXISTS, "/b exists")),
                List.of(),
                new Pace(2_000, Pace.Basis.ASSUMED, 0));
    }

    @Override
    public TreeViews views(IntConsumer counter) {
        return views;
    }
}
