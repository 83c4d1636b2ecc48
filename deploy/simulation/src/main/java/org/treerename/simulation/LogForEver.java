package org.treerename.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A log that keeps its requests for ever. */
record LogForEver() implements org.treerename.rename.RequestLog {

    @Override
    public Optional<Duration> retention() {
        return Optional.empty();
    }

    @Override
    public Optional<Instant> youngest() {
        return Optional.empty();
    }

    @Override
    public Map<String, Long> committed() {
        return Map.of();
    }
}
