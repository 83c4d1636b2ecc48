package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.http.Admission;
import org.treerename.http.Call;

final class CallersTest {

    private static final Call.Headers NONE = name -> List.of();

    private final Callers callers = new Callers(new Admission(null, null));

    @Test
    void a_certificate_may_not_have_the_name_of_the_callers_without_a_certificate() {
        assertThat(callers.of(NONE, Optional.of("me")).name()).isEqualTo("me");
        assertThat(callers.of(NONE, Optional.empty()).name()).isEqualTo("http");
        assertThatThrownBy(() -> callers.of(NONE, Optional.of("http")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.answer().status()).isEqualTo(403));
    }
}
