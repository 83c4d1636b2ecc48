package org.treerename.observe;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.treerename.journal.JournalEntry;
import org.treerename.request.ParsedRequest;

/**
 * The logging context (MDC) of the rename that this thread processes. {@link #close} restores the previous context. The
 * thread that opened the context must close it.
 */
public final class LogContext implements AutoCloseable {

    public static final String PROCESS_ID = "labels.process_id";
    public static final String REQUEST_ID = "labels.request_id";
    public static final String NAMESPACE = "labels.namespace";

    private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

    private LogContext() {}

    /**
     * Opens the logging context of a rename. The context contains the process id, the request id and the namespace.
     *
     * @param namespace the namespace of the rename; null if the namespace is not known
     */
    public static LogContext of(String processId, String requestId, @Nullable String namespace) {
        LogContext context = new LogContext();
        MDC.put(PROCESS_ID, processId);
        MDC.put(REQUEST_ID, requestId);
        if (namespace != null) {
            MDC.put(NAMESPACE, namespace);
        }
        return context;
    }

    /** Opens the logging context of the rename, or of the writer, to which a journal entry belongs. */
    public static LogContext of(String processId, JournalEntry entry) {
        return of(processId, entry.requestId(), entry.namespace().orElse(null));
    }

    /** Opens the logging context of a request. */
    public static LogContext of(String processId, ParsedRequest request) {
        return of(
                processId,
                request.requestId(),
                request instanceof ParsedRequest.RenameRequest r ? r.namespace() : null);
    }

    @Override
    public void close() {
        if (before == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(before);
        }
    }
}
