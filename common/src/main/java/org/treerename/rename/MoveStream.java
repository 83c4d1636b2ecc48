package org.treerename.rename;

import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Moves of documents in several requests, of which a few are under way at the same time. One thread calls it. */
public interface MoveStream extends AutoCloseable {

    /**
     * The result of one request.
     *
     * @param written one for each move, in their order
     * @param silence why the request got no answer; null if it got one
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
         * Sends a request and returns its result. Without an answer each move is unknown. If the request is refused as a whole, each move is
         * refused.
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

        public static MoveResult silent(List<Move> moves, NoAnswerException silence) {
            Written unknown = new Written.Unknown(String.valueOf(silence.getMessage()));
            return new MoveResult(moves, Collections.nCopies(moves.size(), unknown), silence);
        }
    }

    /**
     * Sends moves as one request, if need be after others have ended. Then blocks until another request may be sent. After a request without an
     * answer nothing need be sent, because the next ones would get no answer either; nothing is sent after an unexpected failure.
     *
     * @return the results that have come since the last call
     */
    List<MoveResult> send(List<Move> moves);

    /**
     * Returns whether a request failed unexpectedly, as far as the results have come. {@link #finish} throws this failure, so no further moves
     * are needed.
     */
    boolean hasFailed();

    /**
     * Blocks until no request is under way.
     *
     * @return the results that have come since the last call
     * @throws RuntimeException for an unexpected failure of a request; the results that came since the last call are lost then
     */
    List<MoveResult> finish();

    /** Blocks until no request is under way, and drops the results. */
    @Override
    void close();
}
