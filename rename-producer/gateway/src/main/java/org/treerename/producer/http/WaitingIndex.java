package org.treerename.producer.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.treerename.producer.http.WaitingRequests.Queued;

/**
 * Keeps the waiting requests that were read from each partition, up to a limit of memory. Only one thread at a time
 * calls this class.
 */
final class WaitingIndex {

    private record Known(Queued request, long bytes) {}

    /** The requests of a partition by their offsets. */
    private static final class Part {
        private final TreeMap<Long, Known> requests = new TreeMap<>();
        private long next;
    }

    private final long mostBytes;
    private final Map<Integer, Part> parts = new HashMap<>();
    private long bytes;

    /**
     * @param mostBytes the limit for the total size of all kept records; the last record may exceed this limit
     */
    WaitingIndex(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    boolean isFull() {
        return bytes >= mostBytes;
    }

    /** Returns the offset of the next record to read from a partition. */
    long next(int partition) {
        return part(partition).next;
    }

    /** Removes the requests before an offset of a partition. No record before this offset will be read. */
    void beginAt(int partition, long offset) {
        Part part = part(partition);
        Map<Long, Known> begun = part.requests.headMap(offset);
        bytes -= begun.values().stream().mapToLong(Known::bytes).sum();
        begun.clear();
        part.next = Math.max(part.next, offset);
    }

    /**
     * Adds the record at an offset.
     *
     * @param request empty if the record has no request id
     */
    void add(int partition, long offset, Optional<Queued> request, long size) {
        Part part = part(partition);
        part.next = offset + 1;
        request.ifPresent(queued -> {
            part.requests.put(offset, new Known(queued, size));
            bytes += size;
        });
    }

    /** Returns the kept requests with these ids. */
    Map<String, Queued> find(Set<String> requestIds) {
        return parts.values().stream()
                .flatMap(part -> part.requests.values().stream())
                .map(Known::request)
                .filter(request -> requestIds.contains(request.requestId()))
                .collect(Collectors.toMap(Queued::requestId, request -> request, (first, second) -> first));
    }

    private Part part(int partition) {
        return parts.computeIfAbsent(partition, number -> new Part());
    }
}
