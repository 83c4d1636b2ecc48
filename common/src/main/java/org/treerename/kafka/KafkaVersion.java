package org.treerename.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.treerename.store.NoAnswerException;

/**
 * The version of Kafka, and whether this project supports it. The level of the feature {@code metadata.version} shows
 * the version.
 *
 * @param isSupported whether the version is 4.0 or newer, and not newer than the tested version
 * @param what the version that was found, and whether it is supported
 * @param mend the action that corrects the problem; empty if no action is necessary
 */
public record KafkaVersion(boolean isSupported, String what, String mend) {

    /** The version with which the tests run. */
    public static final String TESTED = "4.3.1";

    private static final String METADATA = "metadata.version";

    /** The first level of {@code metadata.version} in each release, as in Kafka's class MetadataVersion. */
    private static final NavigableMap<Integer, String> RELEASES =
            new TreeMap<>(Map.of(7, "3.3", 22, "4.0", 26, "4.1", 28, "4.2", 30, "4.3"));

    private static final int FIRST_OF_4_0 = 22;
    private static final int LAST_TESTED = 30;

    /**
     * Reads the features of Kafka, and derives the version from the features.
     *
     * @throws NoAnswerException if no answer arrives in time, or if Kafka refuses the request
     */
    public static KafkaVersion read(KafkaClientSettings settings, Duration timeout) {
        int millis = (int) timeout.toMillis();
        Map<String, Object> timeouts = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        try (Admin admin = settings.client(timeouts, Admin::create)) {
            return of(features(admin));
        } catch (ExecutionException | KafkaException e) {
            throw new NoAnswerException("cannot read the features of Kafka: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while reading the features of Kafka", e);
        }
    }

    private static Map<String, Short> features(Admin admin) throws ExecutionException, InterruptedException {
        Map<String, Short> levels = new HashMap<>();
        try {
            admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .forEach((name, range) -> levels.put(name, range.maxVersionLevel()));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnsupportedVersionException)) {
                throw e;
            }
        }
        return levels;
    }

    /**
     * Derives the version from the level of {@code metadata.version}. Sends no request to Kafka.
     *
     * @param features the levels of the activated features by their names
     */
    public static KafkaVersion of(Map<String, Short> features) {
        int level = features.getOrDefault(METADATA, (short) 0);
        String feature = "(feature " + METADATA + " " + level + ")";
        if (level < FIRST_OF_4_0) {
            return new KafkaVersion(
                    false,
                    "Kafka is older than 4.0, or its update to 4.0 is not finished " + feature + ". " + TESTED
                            + " is tested",
                    "start workers with --group-protocol classic, and test renames before you rely on this version of"
                            + " Kafka");
        }
        return level > LAST_TESTED
                ? new KafkaVersion(
                        false,
                        "Kafka is newer than the tested version " + TESTED + " " + feature,
                        "test renames before you rely on this version of Kafka")
                : new KafkaVersion(
                        true, "Kafka " + RELEASES.floorEntry(level).getValue() + " is supported " + feature, "");
    }

    /** Returns {@code what} and, if an action is necessary, {@code mend} as one sentence. */
    public String sentence() {
        return mend.isEmpty() ? what : what + "; " + mend;
    }
}
