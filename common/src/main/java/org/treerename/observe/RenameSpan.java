package org.treerename.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.Objects;

/**
 * The span of the rename that the current thread processes. This span is available even while a child span is current.
 */
final class RenameSpan {

    private static final ContextKey<Span> KEY = ContextKey.named("tree-rename");

    private RenameSpan() {}

    /** Returns the current context, with the given span as the current span and as the span of the rename. */
    static Context in(Span span) {
        return Context.current().with(span).with(KEY, span);
    }

    /** Returns whether this thread processes a rename. */
    static boolean isAny() {
        return Context.current().get(KEY) != null;
    }

    /** Returns the span of the rename. If this thread processes no rename, returns a span that records nothing. */
    static Span span() {
        return Objects.requireNonNullElseGet(Context.current().get(KEY), Span::getInvalid);
    }
}
