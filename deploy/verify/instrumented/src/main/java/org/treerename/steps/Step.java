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
 * One call to a store, and the answer to the call. An example of a step in a log line is {@code step call=write
 * request=r1 state=MOVING ...}. A value that does not apply is empty. Values are URL-encoded.
 *
 * @param request the request id; empty if the call names no request
 * @param state the state of the written entry; for a page or a pass, the {@code Reach} of the scan
 * @param process the owner in the entry
 * @param hold the hold id in the entry, or the released hold ids
 * @param claim whether the claim of the request is released together with the holds
 * @param answer the result of the call; {@code UNKNOWN} if no answer arrived
 * @param number the number of documents; for a prepare, 1 if all locks were acquired and 0 if not
 * @param locks the locks of a prepare, in the order of the bulk request
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

    /** The result of a call. A conditional write may be refused. */
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

    /** Returns the step that a log line contains; empty if the line contains no step. */
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
