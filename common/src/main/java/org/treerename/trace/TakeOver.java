package org.treerename.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/** The span of a rename that one thread takes over, as soon as it does. That thread calls it. */
final class TakeOver {

    private static final ContextKey<TakeOver> KEY = ContextKey.named("tree-rename-take-over");

    private final String processId;
    private @Nullable Span span;
    private @Nullable Scope scope;

    TakeOver(String processId) {
        this.processId = processId;
    }

    /** The current context, in which it may begin. */
    Context awaited() {
        return Context.current().with(KEY, this);
    }

    static @Nullable TakeOver awaitedNow() {
        return Context.current().get(KEY);
    }

    String processId() {
        return processId;
    }

    boolean hasBegun() {
        return span != null;
    }

    /** From now on the thread carries the rename, until {@link #end}. */
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
