package org.treerename.janitor.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.namespace.Namespace;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.request.Status;
import org.treerename.runtime.Printable;

/**
 * Parses the query of a URL, and decodes each parameter once. Throws an {@link IllegalArgumentException} for an invalid
 * query.
 */
final class Query {

    /** The maximum number of characters in a search text or in a request id. */
    private static final int LONGEST_TEXT = 500;

    private final Map<String, String> parameters;

    private Query(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    private static final Set<String> NAMES =
            Set.of("now", "activity", "renames", "request", "locks", "outcomes", "take-overs", "dead-letters");

    /** Returns whether the console has a query with this name. */
    static boolean isName(String name) {
        return NAMES.contains(name);
    }

    /** Returns the query with this name. The parameters in {@code raw} are encoded as in the URL. */
    static Question of(String name, String raw) {
        return switch (name) {
            case "now" -> of(raw, Set.of()).now();
            case "activity" -> of(raw, Set.of()).activity();
            case "renames" -> of(raw, Set.of("phase", "namespace", "after")).renames();
            case "request" -> of(raw, Set.of("id")).request();
            case "locks" -> of(raw, Set.of("namespace", "path", "after")).locks();
            case "outcomes" ->
                of(raw, Set.of("namespace", "status", "text", "after")).outcomes();
            case "take-overs" -> of(raw, Set.of()).takeOvers();
            case "dead-letters" -> of(raw, Set.of()).deadLetters();
            default -> throw new IllegalArgumentException("expected one of " + NAMES + ", found " + name);
        };
    }

    private static Query of(String raw, Set<String> allowed) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
            if (!allowed.contains(name) || parameters.put(name, value) != null) {
                throw new IllegalArgumentException("the parameter \"" + Printable.of(name)
                        + "\" is not allowed or occurs twice; the allowed parameters are "
                        + allowed.stream().sorted().toList());
            }
        }
        return new Query(parameters);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private Question now() {
        return new Question.Now();
    }

    private Question activity() {
        return new Question.Activity();
    }

    private Question takeOvers() {
        return new Question.TakeOvers();
    }

    private Question deadLetters() {
        return new Question.DeadLetters();
    }

    private Question renames() {
        String phase = value("phase");
        return new Question.Renames(
                phase == null ? Question.Renames.Phase.ALL : one(Question.Renames.Phase.class, phase, "phase"),
                namespace(),
                age());
    }

    private Question request() {
        String id = value("id");
        if (id == null) {
            throw new IllegalArgumentException("expected the parameter id, found none");
        }
        return new Question.Request(requireShort(id));
    }

    private Question locks() {
        String after = value("after");
        String path = value("path");
        if (path != null && namespace() == null) {
            throw new IllegalArgumentException("the parameter path requires the parameter namespace, found none");
        }
        return new Question.Locks(namespace(), path, after == null ? null : Cursors.at(after));
    }

    private Question outcomes() {
        String status = value("status");
        String text = value("text");
        return new Question.Outcomes(
                Filter.ALL
                        .in(Question.Outcomes.ENDED)
                        .of(namespace())
                        .endedAs(status == null ? null : one(Status.class, status, "status"))
                        .with(text == null ? null : requireShort(text)),
                age());
    }

    private static String requireShort(String text) {
        if (text.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException("a request id or a search text must have at most " + LONGEST_TEXT
                    + " characters, had " + text.length());
        }
        return text;
    }

    private @Nullable LockPriority age() {
        String after = value("after");
        return after == null ? null : Cursors.age(after);
    }

    private @Nullable String namespace() {
        String name = value("namespace");
        if (name != null && !Namespace.isName(name)) {
            throw new IllegalArgumentException("expected the name of a namespace (lower-case letters, digits, dots,"
                    + " _ and -), found \"" + Printable.of(name) + "\"");
        }
        return name;
    }

    private @Nullable String value(String name) {
        String value = parameters.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private static <E extends Enum<E>> E one(Class<E> of, String word, String parameter) {
        return EnumSet.allOf(of).stream()
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(parameter + " must be one of "
                        + Arrays.toString(of.getEnumConstants()).toLowerCase(Locale.ROOT) + ", was \""
                        + Printable.of(word) + "\""));
    }
}
