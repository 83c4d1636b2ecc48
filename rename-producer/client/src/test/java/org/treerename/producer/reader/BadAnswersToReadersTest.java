package org.treerename.producer.reader;

import static org.treerename.elastic.BadAnswersTest.FILES;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.elastic.BadAnswersTest;
import org.treerename.elastic.BadAnswersTest.Operation;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Region.Part;

/** Runs {@link BadAnswersTest} with the operations of readers. */
class BadAnswersToReadersTest {

    private static final Region BELOW_A =
            new Region(new Part(new TreePath("/a"), Reach.BELOW), null, List.of(), List.of());

    static Stream<Operation> operations() {
        return Stream.of(
                Operation.ofTree(
                        "point in time, a page",
                        elastic -> new ElasticPointsInTime(elastic)
                                .open(FILES, true)
                                .read(new PointInTime.Reading(BELOW_A, null, List.of(), null, null, 10))),
                Operation.ofTree(
                        "point in time, a count",
                        elastic -> new ElasticPointsInTime(elastic)
                                .open(FILES, false)
                                .count(List.of(List.of(BELOW_A)), null)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void no_bad_answer_is_treated_as_success(Operation operation) {
        new BadAnswersTest().no_bad_answer_is_treated_as_success(operation);
    }
}
