package org.treerename.crash;

/** Every place at which a process can be made to die or to freeze, in the order in which a rename comes by. */
public enum CrashPoint {
    /** Before the request that writes the entry and takes the locks: if we die here, nobody knows of the rename yet. */
    BEFORE_PREPARE,
    /** After it: if we die here, an entry stands PREPARED with its locks, and nothing has moved; a janitor gives it back. */
    AFTER_PREPARE,
    /** Before an attempt releases the part of its locks that one table granted and another refused: if we die here, as after the prepare, with that part. */
    BEFORE_GIVE_BACK,
    /** After it: if we die here, the entry is PREPARED and only claims are left; a janitor releases them. */
    AFTER_GIVE_BACK,
    /** Before the step to MOVING: if we die here, nothing is decided; a janitor gives it back. */
    BEFORE_COMMIT,
    /** After it: if we die here, it is decided and nothing has moved; a janitor rolls it forward. */
    AFTER_COMMIT,
    /** Before what the destination replaces is deleted: if we die here, it stands at the destination until a janitor does. */
    BEFORE_REMOVAL,
    /** After it: if we die here, the destination is free; whoever rolls forward finds it gone. */
    AFTER_REMOVAL,
    /** Between the opening of a scan and the entry's write, or between two pages of a long pass: if we die here, the rest has not moved. */
    BEFORE_PROGRESS,
    /** Between the entry's write and the moves after it: if we freeze here, every later write of ours meets another number. */
    AFTER_PROGRESS,
    /** Before documents are written: if we die here, they stand at the source. */
    BEFORE_MOVE,
    /** Between two groups of one page: if we die here, half a page stands at the destination. */
    WITHIN_MOVE,
    /** After documents were written: if we die here, the progress that the entry tells is too little; nothing counts on it. */
    AFTER_MOVE,
    /** Before the next page of a scan is read: if we die here, a point in time stays open until its keep-alive ends. */
    BETWEEN_PAGES,
    /** After the last move, before the scan that proves it: if we die here, a janitor proves it, twice. */
    BEFORE_PROOF,
    /** Before the end is written: if we die here, everything has moved; a janitor finds nothing left and ends it. */
    BEFORE_DONE,
    /** After it: if we die here, locks and the outcome are owed; a janitor releases, publishes and closes. */
    AFTER_DONE,
    /** Before the locks are given back at the end: if we die here, the entry tells that they count no more. */
    BEFORE_RELEASE,
    /** After it: if we die here, the outcome is owed. */
    AFTER_RELEASE,
    /** Before the outcome is published: if we die here, a janitor publishes the bytes that the entry keeps. */
    BEFORE_OUTCOME,
    /** After it: if we die here, the same bytes are published again. */
    AFTER_OUTCOME,
    /** Before CLOSED is written: if we die here, a janitor publishes the same bytes again, and closes. */
    BEFORE_CLOSE,
    /** After it: if we die here, Kafka delivers the request again, and the journal answers it. */
    AFTER_CLOSE,
    /** Before the offset is let go: if we die here, as after CLOSED. */
    BEFORE_OFFSET,

    /** A janitor, after it fenced somebody: if it dies here, whoever ticks next takes the renames over. */
    AFTER_FENCE,
    /** A janitor, after it became the owner: if it dies here, the next one takes over from it. */
    AFTER_TAKE_OVER,
    /** A janitor, between two groups of a page of a rename taken over: if it dies here, the next one goes on. */
    ROLLING_FORWARD,
    /** A janitor, before it gives back locks of a dead process: if it dies here, the next one does. */
    BEFORE_RECLAIM,
    /** A janitor, between the giving back of an undecided rename's locks and RETRY: if it dies here, both are done again. */
    BEFORE_RETRY;

    /** Whether only a janitor comes by. */
    public boolean isOfJanitor() {
        return compareTo(AFTER_FENCE) >= 0;
    }
}
