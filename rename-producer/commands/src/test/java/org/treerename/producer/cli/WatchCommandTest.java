package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Parking;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.Waiting;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.overview.UnderWay;
import org.treerename.process.ProcessState;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;

class WatchCommandTest {

    private static ObjectNode progress(
            State state, Progress progress, @Nullable String refusal, @Nullable Parking parking, OptionalDouble rate) {
        RenameRequest request = new RenameRequest("r1", "files", "/a\n", "/b", OnExisting.FAIL, null);
        JournalEntry entry = TestEntry.of(request)
                .in(state)
                .owner("worker-1", 1, "h1")
                .waiting(new Waiting(refusal == null ? 0 : 1, null, refusal))
                .progress(progress)
                .parking(parking == null ? new Parking("", List.of()) : parking)
                .build();
        return OverviewJson.of(new UnderWay(new OwnedEntry(entry, Optional.of(ProcessState.LIVE)), rate));
    }

    @Test
    void shows_progress_rate_and_time_left_of_a_moving_rename() {
        Progress third = new Progress(300, 100, 1);

        assertThat(WatchCommand.line(progress(State.MOVING, third, null, null, OptionalDouble.of(50))))
                .isEqualTo("/a\\u000a to /b in files: 100 of 300 documents, 33 %, 50 per second, 4 s left");
        assertThat(WatchCommand.line(progress(State.MOVING, third, null, null, OptionalDouble.empty())))
                .isEqualTo("/a\\u000a to /b in files: 100 of 300 documents, 33 %");
        assertThat(WatchCommand.line(progress(State.MOVING, new Progress(0, 0, 1), null, null, OptionalDouble.empty())))
                .isEqualTo("/a\\u000a to /b in files: 0 of 0 documents");
    }

    @Test
    void shows_why_a_rename_does_not_move() {
        Progress none = new Progress(0, 0, 0);

        assertThat(WatchCommand.line(progress(State.PREPARED, none, "/a is held", null, OptionalDouble.empty())))
                .endsWith(": waits, /a is held");
        assertThat(WatchCommand.line(progress(State.PREPARED, none, null, null, OptionalDouble.empty())))
                .endsWith(": about to begin");
        assertThat(WatchCommand.line(progress(
                        State.PARKED, none, null, new Parking("refused", List.of("d1")), OptionalDouble.empty())))
                .endsWith(": parked, refused, the first documents: d1");
        assertThat(WatchCommand.line(progress(State.DONE, none, null, null, OptionalDouble.empty())))
                .endsWith(": done");
    }

    @Test
    void a_frame_overwrites_the_previous_frame_and_restores_line_wrapping() {
        assertThat(Frame.over(0, List.of("a", "b"))).isEqualTo("\u001b[J\u001b[?7la\nb\n\u001b[?7h");
        assertThat(Frame.over(2, List.of("c"))).isEqualTo("\u001b[2F\u001b[J\u001b[?7lc\n\u001b[?7h");
    }
}
