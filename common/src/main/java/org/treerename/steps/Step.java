package org.treerename.steps;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call into a store and its answer. In a log line it begins with {@code step}: {@code step call=write request=r1
 * state=MOVING ...}; what does not apply is empty, and values are URL-encoded.
 *
 * @param request empty where the call does not name one
 * @param state of the entry that is written; of a pass, what it reads
 * @param process the owner that the entry names
 * @param hold the entry's, or the one that is given back
 * @param claim whether the request's claim is given back, too
 * @param answer of a conditional write, written or refused; unknown where none came
 * @param number of documents; of a prepare, 1 if all locks were taken
 * @param locks of a prepare, in the order of the bulk
 */
public record Step(
        String call,
        String request,
        String state,
        String process,
        long epoch,
        String hold,
        boolean claim,
        Answer answer,
        long number,
        String locks) {

    /** How a call ended. */
    public enum Answer {
        WRITTEN,
        REFUSED,
        UNKNOWN
    }

    private static final Pattern LINE = Pattern.compile("\\bstep (call=.*)$");

    static Step of(String call, String request, Answer answer) {
        return new Step(call, request, "", "", 0, "", false, answer, 0, "");
    }

    Step entry(String ofState, String ofProcess, long inEpoch, String ofHold) {
        return new Step(call, request, ofState, ofProcess, inEpoch, ofHold, claim, answer, number, locks);
    }

    Step of(String ofState, long ofNumber) {
        return new Step(call, request, ofState, process, epoch, hold, claim, answer, ofNumber, locks);
    }

    Step giving(String ofHold, boolean ofClaim) {
        return new Step(call, request, state, process, epoch, ofHold, ofClaim, answer, number, locks);
    }

    Step taking(boolean all, String inOrder) {
        return new Step(call, request, state, process, epoch, hold, claim, answer, all ? 1 : 0, inOrder);
    }

    /** Out of a line of a log; empty if it tells of no step. */
    public static Optional<Step> in(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.find()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (String pair : matcher.group(1).split(" ", -1)) {
            int equals = pair.indexOf('=');
            values.put(
                    pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return Optional.of(new Step(
                values.getOrDefault("call", ""),
                values.getOrDefault("request", ""),
                values.getOrDefault("state", ""),
                values.getOrDefault("process", ""),
                Long.parseLong(values.getOrDefault("epoch", "0")),
                values.getOrDefault("hold", ""),
                Boolean.parseBoolean(values.getOrDefault("claim", "false")),
                Answer.valueOf(values.getOrDefault("answer", "")),
                Long.parseLong(values.getOrDefault("number", "0")),
                values.getOrDefault("locks", "")));
    }

    @Override
    public String toString() {
        return "step call=" + call + " request=" + encoded(request) + " state=" + state + " process=" + encoded(process)
                + " epoch=" + epoch + " hold=" + encoded(hold) + " claim=" + claim + " answer=" + answer + " number="
                + number + " locks=" + encoded(locks);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
