package org.treerename.simulation;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.treerename.rename.State;

/** What a run counts. One that never happens proves nothing. */
public enum Happening {
    NEW_TO_PREPARED,
    NEW_TO_RETRY,
    NEW_TO_HELD,
    PREPARED_TO_PREPARED,
    PREPARED_TO_RETRY,
    PREPARED_TO_MOVING,
    PREPARED_TO_REJECTED,
    PREPARED_TO_FAILED,
    PREPARED_TO_CANCELLED,
    RETRY_TO_PREPARED,
    RETRY_TO_RETRY,
    RETRY_TO_CANCELLED,
    HELD_TO_HELD,
    HELD_TO_CLOSED,
    MOVING_TO_MOVING,
    MOVING_TO_PARKED,
    MOVING_TO_DONE,
    PARKED_TO_PARKED,
    PARKED_TO_MOVING,
    DONE_TO_DONE,
    DONE_TO_CLOSED,
    REJECTED_TO_REJECTED,
    REJECTED_TO_CLOSED,
    FAILED_TO_FAILED,
    FAILED_TO_CLOSED,
    CANCELLED_TO_CANCELLED,
    CANCELLED_TO_CLOSED,
    CLOSED_TO_CLOSED,
    CONFLICT_AT_PREPARE,
    CONFLICT_AT_RETRY,
    CONFLICT_AT_COMMIT,
    CONFLICT_AT_PROGRESS,
    CONFLICT_AT_DONE,
    CONFLICT_AT_CLOSED,
    CONFLICT_AT_TAKE_OVER,
    CONFLICT_AT_TOUCH,
    CONFLICT_AT_HEARTBEAT,
    CONFLICT_AT_FENCE,
    CONFLICT_AT_MOVE,
    CONFLICT_AT_REMOVAL,
    CLAIM,
    SWEPT,
    FENCE,
    TAKE_OVER,
    HAND_OVER,
    CRASH,
    CRASH_WHILE_PREPARED,
    CRASH_WHILE_HELD,
    CRASH_WHILE_MOVING,
    CRASH_WHILE_ENDED,
    CRASH_OF_A_JANITOR,
    FREEZE,
    FAILOVER,
    CUT_OFF,
    CUT_OFF_IN_A_SCAN,
    STALE_READ,
    DIRTY_WRITE,
    DIRTY_SEARCH,
    LOST_REQUEST,
    LOST_ANSWER,
    LATE_WRITE,
    LATE_WRITE_OF_THE_DEAD,
    SENT_TWICE,
    PREFIX_OF_A_BULK,
    TURNED_AWAY,
    SHARD_LOST,
    BLOCKED_INDEX,
    DUPLICATE,
    REDELIVERY,
    REBALANCE,
    GIVEN_UP_UNDER_WAY,
    OUTSIDE_CREATION,
    OUTSIDE_EDIT,
    OUTSIDE_DELETION,
    OUTSIDE_MOVE,
    OUTSIDE_RETURN,
    LOST_HOLD,
    WRITE_UNDER_A_HOLD,
    RENAME_OF_WHAT_WAS_WRITTEN,
    REMOVAL,
    REMOVAL_OF_AN_OUTSIDE_FILE,
    REFUSED_AS_NEWER,
    CANCELLED_IN_TIME,
    CANCELLED_TOO_LATE,
    CANCELLED_TOO_EARLY,
    NO_JANITORS;

    private static final Map<String, Happening> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Happening::name, Function.identity()));

    /** The going of an entry from one state, or from none, to another; empty where it may not. */
    static Optional<Happening> transition(String from, State to) {
        return Optional.ofNullable(BY_NAME.get(from + "_TO_" + to));
    }
}
