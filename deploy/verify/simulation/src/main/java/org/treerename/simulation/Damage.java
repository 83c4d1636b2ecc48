package org.treerename.simulation;

import java.util.Map;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;

/**
 * The kinds of damage that an auditor must find. The simulation damages a world at rest, where no process repairs the
 * damage.
 */
enum Damage {
    HOLD_WITHOUT_AN_ENTRY(Kind.HOLD) {
        @Override
        void doTo(Victim victim) {
            victim.hold("/left", LockMode.SHARED, hold("missing", "gone"));
        }
    },
    HOLD_OF_AN_EARLIER_ATTEMPT(Kind.HOLD) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.PREPARED, victim.liveProcess(), "second");
            victim.hold("/left", LockMode.SHARED, hold("another", "first"));
        }
    },
    HOLD_OF_WHAT_HAS_ENDED(Kind.HOLD) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.CLOSED, victim.liveProcess(), null);
            victim.hold("/left", LockMode.EXCLUSIVE, hold("another", "first"));
        }
    },
    CLAIM_WITHOUT_AN_ENTRY(Kind.CLAIM) {
        @Override
        void doTo(Victim victim) {
            victim.claim("/left", "missing");
        }
    },
    CLAIM_OF_RELEASED_REQUEST(Kind.CLAIM) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.RETRY, victim.liveProcess(), null);
            victim.claim("/left", "another");
        }
    },
    HOLDS_THAT_EXCLUDE_EACH_OTHER(Kind.LOCK_DOCUMENT) {
        @Override
        void doTo(Victim victim) {
            victim.entry("one", State.PREPARED, victim.liveProcess(), "first");
            victim.entry("another", State.PREPARED, victim.liveProcess(), "second");
            victim.hold("/left", LockMode.EXCLUSIVE, hold("one", "first"));
            victim.hold("/left", LockMode.SHARED, hold("another", "second"));
        }
    },
    HOLD_BELOW_AN_EXCLUSIVE_ONE(Kind.LOCK_DOCUMENT) {
        @Override
        void doTo(Victim victim) {
            victim.entry("one", State.PREPARED, victim.liveProcess(), "first");
            victim.entry("another", State.PREPARED, victim.liveProcess(), "second");
            victim.hold("/left", LockMode.EXCLUSIVE, hold("one", "first"));
            victim.hold("/left/behind", LockMode.SHARED, hold("another", "second"));
        }
    },
    ENTRY_OF_A_PROCESS_THAT_IS_GONE(Kind.ENTRY) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.PREPARED, "gone", "first");
        }
    },
    DECIDED_WITHOUT_LOCKS(Kind.LOCK) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.MOVING, victim.liveProcess(), "first");
        }

        @Override
        Map<Kind, Integer> findings(Victim victim) {
            return Map.of(Kind.LOCK, victim.locks(victim.request("another")).size());
        }
    },
    PARKED_WITHOUT_LOCKS(Kind.LOCK) {
        @Override
        void doTo(Victim victim) {
            victim.entry("another", State.PARKED, victim.liveProcess(), "first");
        }

        @Override
        Map<Kind, Integer> findings(Victim victim) {
            return Map.of(Kind.LOCK, victim.locks(victim.request("another")).size(), Kind.PARKED, 1);
        }
    },
    TWO_DOCUMENTS_AT_ONE_PATH(Kind.DOUBLED_PATH) {
        @Override
        void doTo(Victim victim) {
            victim.document("first", "/new");
            victim.document("second", "/new");
        }
    },
    DOCUMENT_WITHOUT_A_DIRECTORY(Kind.ORPHAN) {
        @Override
        void doTo(Victim victim) {
            victim.document("first", "/nowhere/new");
        }
    },
    NO_PATH_FIELD(Kind.NO_PATH) {
        @Override
        void doTo(Victim victim) {
            victim.documentWithoutPath("first");
        }
    },
    NO_PATH_IN_THE_PATH_FIELD(Kind.INVALID_PATH) {
        @Override
        void doTo(Victim victim) {
            victim.document("first", "no path");
        }
    },
    PATH_FIELD_THAT_DISAGREES(Kind.FIELDS_DISAGREE) {
        @Override
        void doTo(Victim victim) {
            victim.document("first", "/new", "/old");
        }
    };

    private final Kind kind;

    Damage(Kind kind) {
        this.kind = kind;
    }

    abstract void doTo(Victim victim);

    /** Returns the expected number of findings of each kind. */
    Map<Kind, Integer> findings(Victim victim) {
        return Map.of(kind, 1);
    }

    private static Hold hold(String requestId, String holdId) {
        return new Hold(holdId, "gone", new LockPriority(0, requestId));
    }
}
