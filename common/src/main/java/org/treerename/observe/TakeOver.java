package org.treerename.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The span of a rename that one thread takes over. The span begins with the take-over. Only this thread may call this
 * class.
 */
final class TakeOver {

    private static final ContextKey<TakeOver> KEY = ContextKey.named("tree-rename-take-over");

    private final String processId;
    private @Nullable Span span;
    private @Nullable Scope scope;

    TakeOver(String processId) {
        this.processId = processId;
    }

    /**
     * Returns the current context, with this take-over added. The span may begin while the returned context is current.
     */
    Context awaited() {
        return Context.current().with(KEY, this);
    }

    /** Returns the take-over in the current context; null if there is none. */
    static @Nullable TakeOver awaitedNow() {
        return Context.current().get(KEY);
    }

    String processId() {
        return processId;
    }

    boolean hasBegun() {
        return span != null;
    }

    /**
     * Begins the span. Until {@link #end} is called, this span is the span of the rename that this thread processes.
     */
    @SuppressWarnings("MustBeClosedChecker")
    void begin(Span begun) {
        span = begun;
        scope = RenameSpan.in(begun).makeCurrent();
    }

    void failed(Throwable failure) {
        if (span != null) {
            Spans.failed(span, failure);
        }
    }

    void end() {
        if (scope != null) {
            scope.close();
        }
        if (span != null) {
            span.end();
        }
    }
}
