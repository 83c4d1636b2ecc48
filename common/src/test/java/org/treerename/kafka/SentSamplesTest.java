package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;

/** Tests that current programs can read the records of the first version. The samples of these records never change. */
class SentSamplesTest {

    private static final String PROCESS = "worker-0b0e9c2e-6d1b-4a3e-9d53-5b1f0a6b7c11";

    private static byte[] sample(String name) {
        try (InputStream in = SentSamplesTest.class.getResourceAsStream("/samples/" + name + ".json")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String name) {
        return new String(sample(name), StandardCharsets.UTF_8);
    }

    /**
     * A worker compares the digests of two records with the same id. If the digests differ, the worker treats the
     * records as different requests.
     */
    @Test
    void decodes_a_request_of_the_first_version_with_the_same_digest() {
        RenameRequest request =
                new RenameRequest("r-1", "files", "/a/b", "/c", OnExisting.REPLACE, "nightly", "r-0", null, 17L, null);

        assertThat(RequestCodec.decode(sample("request")))
                .isEqualTo(new Decoded.Usable(
                        request, "b11adccb02747e354aa2fcd3890899b587e562079bfcaf62e18a974ff416cec8", List.of("r-2")));
        assertThat(RequestCodec.digest(request))
                .isEqualTo("b11adccb02747e354aa2fcd3890899b587e562079bfcaf62e18a974ff416cec8");
    }

    @Test
    void decodes_an_outcome_of_the_first_version() {
        assertThat(OutcomeCodec.decode(text("outcome")))
                .isEqualTo(new Outcome(
                        "r-1",
                        Status.COMPLETED,
                        Reason.MAY_HAVE_LEFT,
                        "others went on creating documents",
                        12_000,
                        2,
                        PROCESS,
                        false,
                        "nightly",
                        Instant.parse("2026-03-01T10:00:00.123Z"),
                        Instant.parse("2026-03-01T10:00:01.456Z"),
                        Instant.parse("2026-03-01T10:00:09Z"),
                        null));
    }

    @Test
    void decodes_progress_of_the_first_version() {
        assertThat(ProgressCodec.decode(text("progress")))
                .isEqualTo(new RenameProgress("r-1", 4_000, 12_000, 0, PROCESS, false, null, null));
    }
}
