package org.treerename.journal;

import java.time.Instant;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;

/** Creates deliveries of requests. By default, the request is at offset 0 of partition 0. */
public final class Deliveries {

    public static final Instant APPENDED = Instant.parse("2026-03-01T10:00:00.123Z");

    private Deliveries() {}

    public static Delivery of(RenameRequest request) {
        return of(request, 0, APPENDED);
    }

    public static Delivery of(RenameRequest request, long offset, Instant appendedAt) {
        return new Delivery(
                request, "digest of " + request, new RecordPosition("rename.requests", 0, offset), appendedAt);
    }

    /** Returns a delivery of the same request from another record. */
    public static Delivery again(Delivery first, int partition, long offset, Instant appendedAt) {
        RecordPosition place = new RecordPosition(first.place().topic(), partition, offset);
        return new Delivery(first.asked(), first.digest(), place, appendedAt);
    }

    public static Delivery of(InvalidRequest request) {
        return new Delivery(request, "digest of " + request, new RecordPosition("rename.requests", 0, 0), APPENDED);
    }

    public static RenameRequest rename(String requestId, String namespace, String source, String destination) {
        return new RenameRequest(requestId, namespace, source, destination, OnExisting.FAIL, null);
    }

    public static RenameRequest replace(String requestId, String namespace, String source, String destination) {
        return new RenameRequest(requestId, namespace, source, destination, OnExisting.REPLACE, null);
    }
}
