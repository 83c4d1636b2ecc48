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
import org.treerename.http.Caller;
import org.treerename.overview.OwnedEntry;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Keeps the streams of clients that follow renames. One thread {@linkplain #poll reads} the renames of all streams
 * together. If there are no streams, this thread reads nothing. Each stream has its own thread, which waits for the
 * latest result of these reads. Any thread may call this class.
 */
final class Streams implements AutoCloseable {

    /**
     * The stream of one client.
     *
     * @param caller the name of the caller
     * @param seen the latest result that the thread of the stream has not received yet; empty if there is none
     */
    record Stream(String requestId, String caller, BlockingQueue<Seen> seen) {

        /**
         * Waits for a result that this method has not returned yet. Returns the result, or empty after the timeout.
         */
        Optional<Seen> next(Duration timeout) throws InterruptedException {
            return Optional.ofNullable(seen.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** Replaces an unread result, but not {@link Seen.Closed}: a read may run during {@link Streams#close}. */
        private void put(Seen now) {
            synchronized (seen) {
                if (!(seen.peek() instanceof Seen.Closed)) {
                    seen.clear();
                    seen.add(now);
                }
            }
        }
    }

    /** A result that the thread of a stream receives. */
    sealed interface Seen {

        record Rename(OwnedEntry rename) implements Seen {}

        /** The result if the journal has no entry of the rename, or the caller may not read the rename. */
        record Nothing() implements Seen {}

        /** The result if the gateway stops. */
        record Closed() implements Seen {}
    }

    private static final Logger log = LoggerFactory.getLogger(Streams.class);

    private final Renames renames;
    private final int limit;
    private final int limitPerCaller;
    private final Set<Stream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Streams(Renames renames, int limit, int limitPerCaller) {
        this.renames = renames;
        this.limit = limit;
        this.limitPerCaller = limitPerCaller;
    }

    /**
     * Opens a stream for a rename. The stream must be ended with {@link #leave}.
     *
     * @param caller the name of the caller. The limit for each caller does not apply to {@link Caller#ANONYMOUS},
     *     because all callers without a name share this name
     * @throws ProblemException if there are too many streams, or the gateway stops
     */
    Stream follow(String requestId, String caller) {
        Stream stream = new Stream(requestId, caller, new ArrayBlockingQueue<>(1));
        synchronized (open) {
            if (!caller.equals(Caller.ANONYMOUS)
                    && open.stream()
                                    .filter(other -> other.caller().equals(caller))
                                    .count()
                            >= limitPerCaller) {
                throw new ProblemException(
                        Problem.TOO_MANY_REQUESTS,
                        "the caller follows too many renames; try again later",
                        null,
                        Map.of("Retry-After", "10"));
            }
            if (open.size() >= limit || closed) {
                throw new ProblemException(
                        Problem.OVERLOADED,
                        "too many clients follow renames, or the gateway stops; try again later",
                        null,
                        Map.of("Retry-After", "10"));
            }
            // each stream is a separate element, even if two streams follow the same rename
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

    /** Reads the renames of all streams with one request, and stores the results in the streams. */
    void poll() {
        List<Stream> streams = List.copyOf(open);
        if (streams.isEmpty()) {
            return;
        }
        Map<String, OwnedEntry> found;
        try {
            found = renames.read(streams.stream().map(Stream::requestId).collect(Collectors.toSet())).stream()
                    .collect(Collectors.toMap(rename -> rename.entry().requestId(), Function.identity()));
        } catch (NoAnswerException | RefusedException e) {
            log.debug("cannot read the renames that clients follow: {}; reading them again in 1 s", e.getMessage());
            return;
        }
        for (Stream stream : streams) {
            OwnedEntry rename = found.get(stream.requestId());
            stream.put(rename == null ? new Seen.Nothing() : new Seen.Rename(rename));
        }
    }

    /** Ends all streams. No stream can be opened afterwards. */
    @Override
    public void close() {
        synchronized (open) {
            closed = true;
        }
        open.forEach(stream -> stream.put(new Seen.Closed()));
    }
}
