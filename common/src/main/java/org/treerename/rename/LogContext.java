package org.treerename.rename;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What every line that this thread logs tells besides its words, until it is closed: of which rename it is. Afterwards lines
 * tell what they told before. The thread that opened it closes it.
 */
public final class LogContext implements AutoCloseable {

    public static final String PROCESS_ID = "labels.process_id";
    public static final String REQUEST_ID = "labels.request_id";
    public static final String NAMESPACE = "labels.namespace";

    private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

    private LogContext() {}

    /**
     * Of a rename that this process carries.
     *
     * @param namespace null where it is not known
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

    /** Of a rename, or of a writer, by its entry. */
    static LogContext of(String processId, JournalEntry entry) {
        return of(processId, entry.requestId(), entry.namespace().orElse(null));
    }

    /** Of a request. */
    public static LogContext of(String processId, ParsedRequest asked) {
        return of(processId, asked.requestId(), asked instanceof ParsedRequest.RenameRequest r ? r.namespace() : null);
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
