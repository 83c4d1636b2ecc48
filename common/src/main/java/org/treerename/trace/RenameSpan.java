package org.treerename.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.Objects;

/** The span of the rename that a thread carries, whatever span below it is the current one. */
final class RenameSpan {

    private static final ContextKey<Span> KEY = ContextKey.named("tree-rename");

    private RenameSpan() {}

    /** The current context, in which this one is carried. */
    static Context in(Span span) {
        return Context.current().with(span).with(KEY, span);
    }

    static boolean isAny() {
        return Context.current().get(KEY) != null;
    }

    /** One that nobody hears of where none is carried. */
    static Span span() {
        return Objects.requireNonNullElseGet(Context.current().get(KEY), Span::getInvalid);
    }
}
