package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StateTest {

    @Test
    void each_state_allows_only_the_listed_next_states() {
        Map<State, Set<State>> followers = new TreeMap<>();
        for (State state : State.values()) {
            Set<State> next = new TreeSet<>();
            for (State other : State.values()) {
                if (other != state && state.mayBecome(other)) {
                    next.add(other);
                }
            }
            followers.put(state, next);
        }

        Set<State> endsWithoutMoving = Set.of(State.REJECTED, State.FAILED, State.CANCELLED);
        Set<State> fromPrepared = new TreeSet<>(endsWithoutMoving);
        fromPrepared.addAll(Set.of(State.RETRY, State.MOVING));
        Set<State> fromRetry = Set.of(State.PREPARED, State.HELD, State.FAILED, State.CANCELLED);
        assertThat(followers)
                .isEqualTo(Map.of(
                        State.PREPARED, fromPrepared,
                        State.RETRY, fromRetry,
                        State.HELD, Set.of(State.CLOSED),
                        State.MOVING, Set.of(State.PARKED, State.DONE),
                        State.PARKED, Set.of(State.MOVING, State.DONE),
                        State.DONE, Set.of(State.CLOSED),
                        State.REJECTED, Set.of(State.CLOSED),
                        State.FAILED, Set.of(State.CLOSED),
                        State.CANCELLED, Set.of(State.CLOSED),
                        State.CLOSED, Set.of()));
    }

    @Test
    void every_state_allows_a_no_op_write() {
        assertThat(State.values()).allMatch(state -> state.mayBecome(state));
    }

    @Test
    void no_decided_state_becomes_failed() {
        assertThat(Set.of(State.MOVING, State.PARKED, State.DONE)).noneMatch(state -> state.mayBecome(State.FAILED));
    }

    @Test
    void an_ended_rename_holds_nothing() {
        assertThat(State.values()).noneMatch(state -> state.isFinal() && state.mayHold());
        assertThat(State.RETRY).returns(false, State::isFinal).returns(false, State::mayHold);
    }

    @Test
    void an_entry_refuses_a_step_that_its_state_does_not_allow() {
        JournalEntry entry = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), new Ownership("p", 1, "h"));

        assertThatThrownBy(entry::closed)
                .hasMessage("the journal entry of request r1 is PREPARED and cannot become CLOSED");
        assertThatThrownBy(() -> entry.done(new Ending(Deliveries.APPENDED, ""), 0, 0))
                .hasMessage("the journal entry of request r1 is PREPARED and cannot become DONE");
    }
}
