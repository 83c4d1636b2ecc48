package org.treerename.producer.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.overview.OwnedEntry;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Who follows renames. One thread {@linkplain #look reads} the renames of all of them at once, and only while there is
 * somebody; each follower waits on a thread of its own, for the latest of what was read. Any thread may call it.
 */
final class Streams implements AutoCloseable {

    /**
     * One who follows a rename.
     *
     * @param seen the latest that was read, taken by nobody yet; empty where there is none
     */
    record Stream(String requestId, BlockingQueue<Seen> seen) {

        /** What was read since the last call; empty where nothing was for so long. */
        Optional<Seen> next(Duration most) throws InterruptedException {
            return Optional.ofNullable(seen.poll(most.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** Replaces what was read before and not taken. The end is never replaced: a look may still be under way. */
        private void put(Seen now) {
            synchronized (seen) {
                if (!(seen.peek() instanceof Seen.Closed)) {
                    seen.clear();
                    seen.add(now);
                }
            }
        }
    }

    /** What one look found. */
    sealed interface Seen {

        record Rename(OwnedEntry rename) implements Seen {}

        /** The journal knows no such rename. */
        record Nothing() implements Seen {}

        /** The gateway ends. */
        record Closed() implements Seen {}
    }

    private static final Logger log = LoggerFactory.getLogger(Streams.class);

    private final Renames renames;
    private final int most;
    private final Set<Stream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Streams(Renames renames, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("--http-streams is at least 1, found " + most);
        }
        this.renames = renames;
        this.most = most;
    }

    /**
     * Follows a rename until {@link #leave}.
     *
     * @throws ProblemException where there are too many who follow one
     */
    Stream follow(String requestId) {
        Stream stream = new Stream(requestId, new ArrayBlockingQueue<>(1));
        synchronized (open) {
            if (open.size() >= most || closed) {
                throw new ProblemException(
                        Problem.OVERLOADED,
                        "as many renames are followed as may be followed at once",
                        null,
                        Map.of("Retry-After", "10"));
            }
            // each is one of its own, also of the same rename
            open.add(stream);
        }
        return stream;
    }

    void leave(Stream stream) {
        open.remove(stream);
    }

    int size() {
        return open.size();
    }

    /** Reads once for all. */
    void look() {
        List<Stream> followers = List.copyOf(open);
        if (followers.isEmpty()) {
            return;
        }
        Map<String, OwnedEntry> found;
        try {
            found = renames.read(followers.stream().map(Stream::requestId).collect(Collectors.toSet())).stream()
                    .collect(Collectors.toMap(rename -> rename.entry().requestId(), Function.identity()));
        } catch (NoAnswerException | RefusedException e) {
            log.debug("those who follow renames wait: {}", e.getMessage());
            return;
        }
        for (Stream follower : followers) {
            OwnedEntry rename = found.get(follower.requestId());
            follower.put(rename == null ? new Seen.Nothing() : new Seen.Rename(rename));
        }
    }

    /** Ends all of them; more are not taken. */
    @Override
    public void close() {
        synchronized (open) {
            closed = true;
        }
        open.forEach(stream -> stream.put(new Seen.Closed()));
    }
}
