package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.fuzz.MutatedRecords;
import org.treerename.fuzz.Mutations;
import org.treerename.installation.Installation;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;

/** Parses malformed records. The system property {@code fuzz.records} sets the number of records per seed. */
class RequestCodecFuzzTest {

    private static final int RECORDS = Integer.getInteger("fuzz.records", 5_000);
    private static final Set<String> REASONS =
            Set.of("empty", "not_json", "repeated_field", "not_an_object", "no_request_id");

    private static final List<String> GOOD = List.of(
            "{\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}",
            "{\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a/ü\",\"destination\":\"/\\u00fc\\ud83d\\ude00\","
                    + "\"on_existing\":\"replace\",\"requested_by\":\"me\",\"replay_of\":\"r0\",\"version\":17,"
                    + "\"after\":[\"r2\",\"r3\"],\"more\":{\"x\":[1,2.5e3,true,null]}}");

    private enum End {
        REQUEST,
        INVALID,
        UNUSABLE
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void each_record_is_a_request_or_has_a_reason(long seed) {
        Mutations values = MutatedRecords.values(seed, GOOD);
        Mutations traces = MutatedRecords.traces(seed);
        Map<End, Integer> ends = new EnumMap<>(End.class);
        Map<String, Integer> reasons = new HashMap<>();
        for (int i = 0; i < RECORDS; i++) {
            byte[] value = values.next();
            ConsumerRecord<byte[], byte[]> message =
                    new ConsumerRecord<>(Installation.DEFAULT.requests(), 0, i, null, value);
            message.headers().add("traceparent", traces.next()).add("tracestate", traces.next());
            try {
                ends.merge(end(RequestCodec.read(message), reasons), 1, Integer::sum);
            } catch (RuntimeException | Error e) {
                fail("record " + i + " of seed " + seed + ": " + HexFormat.of().formatHex(value), e);
            }
        }
        // if an end or a reason is missing, the records were not varied enough
        assertThat(ends).containsOnlyKeys(End.values());
        assertThat(reasons).containsOnlyKeys(REASONS);
    }

    private static End end(Decoded decoded, Map<String, Integer> reasons) {
        return switch (decoded) {
            case Decoded.Unusable unusable -> {
                assertThat(REASONS).contains(unusable.reason());
                reasons.merge(unusable.reason(), 1, Integer::sum);
                yield End.UNUSABLE;
            }
            case Decoded.Usable usable -> {
                assertThat(usable.digest()).matches("[0-9a-f]{64}");
                assertThat(RequestIds.problem(usable.asked().requestId())).isEmpty();
                assertThat(RequestCodec.afterProblem(usable.asked().requestId(), usable.after()))
                        .isEmpty();
                yield switch (usable.asked()) {
                    case RenameRequest request -> End.REQUEST;
                    case InvalidRequest invalid -> {
                        assertThat(invalid.problem()).isNotBlank().hasSizeLessThan(2_000);
                        yield End.INVALID;
                    }
                };
            }
        };
    }
}
