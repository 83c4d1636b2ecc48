package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.installation.Installation;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.TraceContext;

class RequestCodecTest {

    private static final RenameRequest REQUEST =
            new RenameRequest("r1", "files", "/a/ü\uD83D\uDE00", "/b", OnExisting.REPLACE, "me");
    private static final String FIELDS =
            "\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"";

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static Decoded decode(String json) {
        return RequestCodec.decode(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Decoded.Usable usable(String json) {
        return (Decoded.Usable) decode(json);
    }

    private static RenameRequest request(@Nullable String requestedBy) {
        return new RenameRequest("r1", "files", "/a", "/b", OnExisting.FAIL, requestedBy);
    }

    @Test
    void encodes_and_decodes_a_request() {
        byte[] encoded = RequestCodec.encode(REQUEST);

        assertThat(Schema.REQUEST.problems(new String(encoded, StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(RequestCodec.decode(encoded))
                .isEqualTo(new Decoded.Usable(REQUEST, RequestCodec.digest(REQUEST), List.of()));
    }

    private static ConsumerRecord<byte[], byte[]> message(String json, String... headers) {
        ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(
                Installation.DEFAULT.requests(), 0, 0, null, json.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < headers.length; i += 2) {
            message.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return message;
    }

    @Test
    void the_last_headers_are_the_trace_and_the_digest_ignores_it() {
        String json = "{" + FIELDS + "}";
        Decoded.Usable read = (Decoded.Usable) RequestCodec.read(
                message(json, "traceparent", "overwritten", "traceparent", PARENT, "tracestate", "vendor=1"));

        assertThat(read.asked()).isEqualTo(request(null).in(new TraceContext(PARENT, "vendor=1")));
        assertThat(read.digest()).isEqualTo(usable(json).digest());
        assertThat(RequestCodec.encode((RenameRequest) read.asked())).isEqualTo(RequestCodec.encode(request(null)));
    }

    @Test
    void an_invalid_request_has_a_trace() {
        Decoded.Usable read =
                (Decoded.Usable) RequestCodec.read(message("{\"request_id\":\"r1\"}", "traceparent", PARENT));

        assertThat(read.asked())
                .isInstanceOf(InvalidRequest.class)
                .extracting(ParsedRequest::trace)
                .isEqualTo(new TraceContext(PARENT, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "00-ä", "\u0000"})
    void ignores_a_malformed_trace(String malformed) {
        assertThat(RequestCodec.read(message("{" + FIELDS + "}", "traceparent", malformed)))
                .isEqualTo(usable("{" + FIELDS + "}"));
        assertThat(RequestCodec.read(message("{" + FIELDS + "}"))).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @Test
    void optional_fields_have_defaults() {
        assertThat(usable("{" + FIELDS + "}").asked()).isEqualTo(request(null));
        assertThat(usable("{" + FIELDS + ",\"on_existing\":\"fail\",\"requested_by\":null}"))
                .isEqualTo(usable("{" + FIELDS + "}"));
    }

    @Test
    void a_replay_names_the_original_request_and_has_its_own_digest() {
        RenameRequest replay = REQUEST.replayedAs("r2");
        byte[] encoded = RequestCodec.encode(replay);

        assertThat(replay.replayOf()).isEqualTo(REQUEST.requestId());
        assertThat(Schema.REQUEST.problems(new String(encoded, StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(RequestCodec.decode(encoded))
                .isEqualTo(new Decoded.Usable(replay, RequestCodec.digest(replay), List.of()));
        assertThat(usable("{" + FIELDS + ",\"replay_of\":null}")).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @Test
    void encodes_and_decodes_a_version_and_includes_it_in_the_digest() {
        RenameRequest versioned = REQUEST.withVersion(Long.MAX_VALUE);
        byte[] encoded = RequestCodec.encode(versioned);

        assertThat(Schema.REQUEST.problems(new String(encoded, StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(RequestCodec.decode(encoded))
                .isEqualTo(new Decoded.Usable(versioned, RequestCodec.digest(versioned), List.of()));
        assertThat(RequestCodec.digest(versioned)).isNotEqualTo(RequestCodec.digest(REQUEST));
        assertThat(versioned.replayedAs("r2").version()).isEqualTo(Long.MAX_VALUE);
        assertThat(usable("{" + FIELDS + ",\"version\":null}")).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @Test
    void refuses_to_create_a_request_with_a_version_below_one() {
        assertThat(REQUEST.withVersion(1).version()).isEqualTo(1);
        assertThatThrownBy(() -> REQUEST.withVersion(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("version must be at least 1, was 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "\"1\"", "[1]", "9223372036854775808", "18446744073709551617", "1e3"})
    void a_version_that_is_not_a_positive_whole_number_is_an_invalid_request(String version) {
        String json = "{" + FIELDS + ",\"version\":" + version + "}";

        assertThat(usable(json).asked())
                .isInstanceOfSatisfying(
                        InvalidRequest.class,
                        invalid -> assertThat(invalid.problem()).startsWith("version must be"));
    }

    @Test
    void encodes_and_decodes_the_source_id_and_includes_it_in_the_digest() {
        RenameRequest exact = REQUEST.withSourceId("é".repeat(256));
        byte[] encoded = RequestCodec.encode(exact);

        assertThat(Schema.REQUEST.problems(new String(encoded, StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(RequestCodec.decode(encoded))
                .isEqualTo(new Decoded.Usable(exact, RequestCodec.digest(exact), List.of()));
        assertThat(RequestCodec.digest(exact)).isNotEqualTo(RequestCodec.digest(REQUEST));
        assertThat(exact.replayedAs("r2").sourceId()).isEqualTo(exact.sourceId());
        assertThat(usable("{" + FIELDS + ",\"source_id\":null}")).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"\"", "[\"d1\"]", "\"\\ud800\""})
    void a_source_id_that_no_document_can_have_is_an_invalid_request(String sourceId) {
        assertInvalidSourceId(sourceId);
    }

    @Test
    void a_source_id_that_is_too_long_is_an_invalid_request() {
        assertInvalidSourceId("\"" + "é".repeat(256) + "x\"");
    }

    private static void assertInvalidSourceId(String sourceId) {
        String json = "{" + FIELDS + ",\"source_id\":" + sourceId + "}";

        assertThat(usable(json).asked())
                .isInstanceOfSatisfying(
                        InvalidRequest.class,
                        invalid -> assertThat(invalid.problem()).startsWith("source_id must be"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"\"", "[\"r1\"]"})
    void an_invalid_replay_of_is_an_invalid_request(String replayOf) {
        String json = "{" + FIELDS + ",\"replay_of\":" + replayOf + "}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked())
                .isInstanceOfSatisfying(
                        InvalidRequest.class, no -> assertThat(no.problem()).startsWith("replay_of must be"));
    }

    @Test
    void unknown_fields_are_ignored_by_the_codec_and_by_the_schema() {
        String json = "{\"new\":{\"a\":[1]}," + FIELDS + ",\"priority\":7}";

        assertThat(Schema.REQUEST.problems(json)).isEmpty();
        assertThat(usable(json)).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @Test
    void the_digest_depends_on_the_content_and_not_on_the_spelling() {
        assertThat(usable("{" + FIELDS + "}").digest())
                .isEqualTo(
                        usable(" { \"destination\":\"\\u002fb\"," + FIELDS.replace(",\"destination\":\"/b\"", "") + "}")
                                .digest());
        assertThat(usable("{" + FIELDS + "}").digest())
                .isNotEqualTo(usable("{" + FIELDS.replace("/b", "/c") + "}").digest());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"namespace\":\"files\"    | \"namespace\":7      | namespace must be a string, found a number",
                "\"namespace\":\"files\",   | '                    | namespace must be a string, found none",
                "\"source\":\"/a\"          | \"source\":null      | source must be a string, found null",
                "\"source\":\"/a\"          | \"source\":[\"/a\"]  | source must be a string, found an array",
                "\"destination\":\"/b\"     | \"destination\":{}   | destination must be a string, found an object",
                "\"destination\":\"/b\"     | \"destination\":true | destination must be a string, found a boolean"
            })
    void a_field_of_the_wrong_type_is_an_invalid_request_and_violates_the_schema(
            String field, String instead, String problem) {
        String json = "{" + FIELDS.replace(field, instead.equals("'") ? "" : instead) + ",\"requested_by\":\"me\"}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked()).isEqualTo(new InvalidRequest("r1", "me", problem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"replce\"", "null", "1", "\"FAIL\"", "[]", "{}", "\"\""})
    void an_unknown_on_existing_is_an_invalid_request_and_violates_the_schema(String value) {
        String json = "{" + FIELDS + ",\"on_existing\":" + value + "}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked()).isInstanceOf(InvalidRequest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "[\"me\"]", "{}", "true"})
    void a_requested_by_of_the_wrong_type_is_an_invalid_request_without_a_requester(String value) {
        String json = "{" + FIELDS + ",\"requested_by\":" + value + "}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked())
                .isInstanceOfSatisfying(
                        InvalidRequest.class,
                        invalid -> assertThat(invalid.requestedBy()).isNull());
    }

    @Test
    void encodes_and_decodes_after_and_excludes_it_from_the_digest() {
        List<String> most = IntStream.range(0, RequestCodec.MAX_AFTER)
                .mapToObj(i -> i + "ü\"")
                .toList();
        byte[] encoded = RequestCodec.encode(REQUEST, most);

        assertThat(Schema.REQUEST.problems(new String(encoded, StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(RequestCodec.decode(encoded))
                .isEqualTo(new Decoded.Usable(REQUEST, RequestCodec.digest(REQUEST), most));
        assertThat(RequestCodec.encode(REQUEST, List.of())).isEqualTo(RequestCodec.encode(REQUEST));
        assertThat(usable("{" + FIELDS + ",\"after\":[]}")).isEqualTo(usable("{" + FIELDS + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "null      | after must be a list of strings, found null",
                "\"r0\"    | after must be a list of strings, found a string",
                "{}        | after must be a list of strings, found an object",
                "[\"r0\",7] | after must be a list of strings, found a number",
                "[[]]      | after must be a list of strings, found an array",
                "[\"\"]    | after: a request_id must have 1 to 200 bytes of UTF-8, found 0",
                "[\"a\\nb\"] | after: a request_id must not contain a control character or a lone surrogate"
            })
    void an_invalid_after_is_an_invalid_request_and_violates_the_schema(String value, String problem) {
        String json = "{" + FIELDS + ",\"requested_by\":\"me\",\"after\":" + value + "}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked()).isEqualTo(new InvalidRequest("r1", "me", problem));
        assertThat(usable(json).after()).isEmpty();
    }

    @Test
    void encode_and_decode_refuse_too_many_predecessors_and_the_request_itself() {
        List<String> many = Collections.nCopies(RequestCodec.MAX_AFTER + 1, "r0");
        String json = "{" + FIELDS + ",\"after\":[" + "\"r0\",".repeat(RequestCodec.MAX_AFTER) + "\"r0\"]}";

        assertThat(Schema.REQUEST.problems(json)).isNotEmpty();
        assertThat(usable(json).asked())
                .isEqualTo(new InvalidRequest("r1", null, "after must name at most 100 requests, found 101"));
        assertThatThrownBy(() -> RequestCodec.encode(REQUEST, many))
                .hasMessage("request r1: after must name at most 100 requests, found 101");
        assertThat(usable("{" + FIELDS + ",\"after\":[\"r1\"]}").asked())
                .isEqualTo(new InvalidRequest("r1", null, "after must not name the request itself"));
        assertThatThrownBy(() -> RequestCodec.encode(REQUEST, List.of("r0", "r1")))
                .hasMessage("request r1: after must not name the request itself");
    }

    @Test
    void codec_and_schema_have_the_same_limit_for_requested_by() {
        String longest = "\uD83D\uDE00".repeat(RequestCodec.MAX_REQUESTED_BY);
        String json = "{" + FIELDS + ",\"requested_by\":\"" + longest + "\"}";
        String longer = "{" + FIELDS + ",\"requested_by\":\"" + longest + "x\"}";

        assertThat(Schema.REQUEST.problems(json)).isEmpty();
        assertThat(usable(json).asked()).isEqualTo(request(longest));
        assertThat(Schema.REQUEST.problems(longer)).isNotEmpty();
        assertThat(usable(longer).asked()).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void a_requested_by_with_a_lone_surrogate_is_an_invalid_request() {
        assertThat(usable("{" + FIELDS + ",\"requested_by\":\"\\ud83d\"}").asked())
                .isEqualTo(new InvalidRequest(
                        "r1", null, "requested_by must be well-formed Unicode, found a lone surrogate"));
    }

    @Test
    void a_path_with_a_lone_surrogate_has_its_own_digest() {
        Decoded.Usable one = usable("{" + FIELDS.replace("/b", "/\\ud83d") + "}");
        Decoded.Usable other = usable("{" + FIELDS.replace("/b", "/\\ude00") + "}");

        assertThat(one.asked()).isEqualTo(new RenameRequest("r1", "files", "/a", "/\uD83D", OnExisting.FAIL, null));
        assertThat(one.digest()).isNotEqualTo(other.digest());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "no json             | not_json",
                "{\"request_id\":    | not_json",
                "{'request_id':1}    | not_json",
                "{\"request_id\":\"r1\",\"source\":\"/a\",\"source\":\"/b\"} | repeated_field",
                "{\"request_id\":\"r1\",\"request_id\":\"r1\"} | repeated_field",
                "{\"request_id\":\"r1\",\"of_a_later_version\":{\"a\":1,\"a\":2}} | repeated_field",
                "{\"request_id\":\"r1\",\"request_id\":\"r1\" | not_json",
                "[]                  | not_an_object",
                "\"r1\"              | not_an_object",
                "null                | not_an_object",
                "7                   | not_an_object",
                "{}                  | no_request_id",
                "{\"request_id\":7}  | no_request_id",
                "{\"request_id\":\"\"} | no_request_id",
                "{\"request_id\":\"a\\nb\"} | no_request_id",
                "{\"request_id\":\"\\u0085\"} | no_request_id",
                "{\"request_id\":\"\\ud83d\"} | no_request_id"
            })
    void a_value_that_no_outcome_can_answer_has_a_reason(String value, String reason) {
        assertThat(decode(value)).isEqualTo(new Decoded.Unusable(reason));
        if (!List.of("not_json", "repeated_field").contains(reason) && !value.contains("ud83d")) {
            assertThat(Schema.REQUEST.problems(value)).isNotEmpty();
        }
    }

    @Test
    void an_empty_and_a_missing_value_are_unusable() {
        assertThat(RequestCodec.decode(null)).isEqualTo(new Decoded.Unusable("empty"));
        assertThat(RequestCodec.decode(new byte[0])).isEqualTo(new Decoded.Unusable("empty"));
    }

    @Test
    void a_value_with_something_after_the_object_is_not_json() {
        assertThat(decode("{" + FIELDS + "} trailing")).isEqualTo(new Decoded.Unusable("not_json"));
    }

    @Test
    void a_request_id_has_at_most_200_bytes() {
        assertThat(decode("{\"request_id\":\"" + "ü".repeat(100) + "\"}")).isInstanceOf(Decoded.Usable.class);
        assertThat(decode("{\"request_id\":\"" + "ü".repeat(100) + "x\"}"))
                .isEqualTo(new Decoded.Unusable("no_request_id"));
    }

    @Test
    void deep_and_long_values_do_not_throw() {
        assertThat(decode("[".repeat(100_000))).isEqualTo(new Decoded.Unusable("not_json"));
        assertThat(decode("{" + FIELDS + ",\"n\":" + "1".repeat(10_000) + "}")).isInstanceOf(Decoded.class);
    }

    @ParameterizedTest(name = "with seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void random_bytes_do_not_throw(long seed) {
        Random random = new Random(seed);
        byte[] valid = RequestCodec.encode(REQUEST);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = valid.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }

            assertThat(RequestCodec.decode(bytes)).isNotNull();
        }
    }
}
