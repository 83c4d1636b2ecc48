package org.treerename.producer.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request is answered with a problem. */
final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Problem problem;
    private final transient @Nullable String field;
    private final transient Map<String, String> headers;

    /** One without more to say than its title. */
    ProblemException(Problem problem) {
        this(problem, problem.title(), null);
    }

    /**
     * One of a field.
     *
     * @param field of the body, of the query, or of the path; null where it is none of one field
     */
    ProblemException(Problem problem, String detail, @Nullable String field) {
        this(problem, detail, field, Map.of());
    }

    ProblemException(Problem problem, String detail, @Nullable String field, Map<String, String> headers) {
        super(detail, null, false, false);
        this.problem = problem;
        this.field = field;
        this.headers = Map.copyOf(headers);
    }

    Answer answer() {
        return Answer.problem(problem, String.valueOf(getMessage()), field, headers);
    }
}
