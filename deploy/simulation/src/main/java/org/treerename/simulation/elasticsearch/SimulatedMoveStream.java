package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.MoveStream;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;

/** Moves of documents in requests of which three are under way at the same time. */
final class SimulatedMoveStream implements MoveStream {

    private static final int SIDE_BY_SIDE = 3;

    private record Sent(List<Move> moves, Wire.Pending<List<Written>> request) {
        MoveResult result() {
            return MoveResult.of(moves, request::answer);
        }
    }

    private final Function<List<Move>, Wire.Pending<List<Written>>> sending;
    private final List<Sent> underWay = new ArrayList<>();
    private @Nullable NoAnswerException silence;

    /**
     * @param sending sends one request
     */
    SimulatedMoveStream(Function<List<Move>, Wire.Pending<List<Written>>> sending) {
        this.sending = sending;
    }

    @Override
    public List<MoveResult> send(List<Move> moves) {
        List<MoveResult> results = ended();
        NoAnswerException before = silence;
        if (before != null) {
            results.add(MoveResult.silent(moves, before));
            return results;
        }
        underWay.add(new Sent(moves, sending.apply(moves)));
        if (underWay.size() == SIDE_BY_SIDE) {
            results.add(heard(underWay.removeFirst()));
            results.addAll(ended());
        }
        return results;
    }

    /** An unexpected failure is thrown at once. */
    @Override
    public boolean hasFailed() {
        return false;
    }

    @Override
    public List<MoveResult> finish() {
        List<MoveResult> results = new ArrayList<>();
        while (!underWay.isEmpty()) {
            results.add(heard(underWay.removeFirst()));
        }
        return results;
    }

    @Override
    public void close() {
        finish();
    }

    private List<MoveResult> ended() {
        List<MoveResult> results = new ArrayList<>();
        for (Sent sent : List.copyOf(underWay)) {
            if (sent.request().hasEnded()) {
                underWay.remove(sent);
                results.add(heard(sent));
            }
        }
        return results;
    }

    /** Waits for the answer. */
    private MoveResult heard(Sent sent) {
        MoveResult result = sent.result();
        if (result.silence() != null) {
            silence = result.silence();
        }
        return result;
    }
}
