package org.treerename.producer.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Answer;

/** Thrown if the answer to a request must report a {@link Problem}. */
final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Problem problem;
    private final transient @Nullable String field;
    private final transient Map<String, String> headers;

    /** Creates an exception whose detail is the title of the problem. */
    ProblemException(Problem problem) {
        this(problem, problem.title(), null);
    }

    /**
     * Creates an exception that names the field with the problem.
     *
     * @param field the name of a field, parameter or header; null if none of them causes the problem
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
        return problem.answer(String.valueOf(getMessage()), field, headers);
    }
}
