package org.treerename.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class Sha256Test {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Uses the example in appendix B.1 of the standard FIPS 180-2. */
    @Test
    void hashes_the_example_of_the_standard_as_a_whole_and_in_parts() {
        String expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

        assertThat(Sha256.hex(bytes("abc"))).isEqualTo(expected);
        assertThat(Sha256.hex(bytes("a"), bytes(""), bytes("bc"))).isEqualTo(expected);
    }
}
