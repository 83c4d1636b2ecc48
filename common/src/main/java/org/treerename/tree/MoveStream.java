package org.treerename.tree;

import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Written;

/**
 * A stream that moves documents in several requests. A few requests may be in progress at the same time. Only one
 * thread calls this interface.
 */
public interface MoveStream extends AutoCloseable {

    /**
     * The result of one request.
     *
     * @param written one result for each move, in order
     * @param silence the reason why the request got no answer; null if it got an answer
     */
    record MoveResult(
            List<Move> moves,
            List<Written> written,
            @Nullable NoAnswerException silence) {

        public MoveResult {
            moves = List.copyOf(moves);
            written = List.copyOf(written);
        }

        /**
         * Sends a request and returns its result. If there is no answer, the result of each move is unknown. If the
         * request is refused as a whole, each move is refused.
         */
        public static MoveResult of(List<Move> moves, Supplier<List<Written>> request) {
            try {
                return new MoveResult(moves, request.get(), null);
            } catch (NoAnswerException e) {
                return silent(moves, e);
            } catch (RefusedException e) {
                Written refused = new Written.Refused(String.valueOf(e.getMessage()));
                return new MoveResult(moves, Collections.nCopies(moves.size(), refused), null);
            }
        }
        /** Returns the result of a request without an answer: the result of each move is unknown. */
        public static MoveResult silent(List<Move> moves, NoAnswerException noAnswer) {
            Written unknown = new Written.Unknown(String.valueOf(noAnswer.getMessage()));
            return new MoveResult(moves, Collections.nCopies(moves.size(), unknown), noAnswer);
        }
    }

    /**
     * Sends moves as one request. Blocks while too many requests are in progress, or while the limit of documents per
     * second does not allow this request.
     *
     * <p>After a request without an answer, the stream need not send further requests, because these requests would get
     * no answer either. After an unexpected failure, the stream sends no further request.
     *
     * @return the results that have arrived since the last call
     */
    List<MoveResult> send(List<Move> moves);

    /**
     * Returns whether at least one finished request failed unexpectedly. {@link #finish} throws this failure, so the
     * caller need not send further moves.
     */
    boolean hasFailed();

    /**
     * Blocks until no request is in progress.
     *
     * @return the results that have arrived since the last call
     * @throws RuntimeException if a request failed unexpectedly; in this case, the results that have arrived since the
     *     last call are lost
     */
    List<MoveResult> finish();

    /** Blocks until no request is in progress, and drops the results. */
    @Override
    void close();
}
