package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.MoveStream;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Written;

/** Moves documents in bulk requests. Sends up to three requests before the first request is answered. */
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

    /** @param sending sends one request */
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
            results.add(awaitResult(underWay.removeFirst()));
            results.addAll(ended());
        }
        return results;
    }

    /** Returns false, because this stream throws unexpected failures and stores none. */
    @Override
    public boolean hasFailed() {
        return false;
    }

    @Override
    public List<MoveResult> finish() {
        List<MoveResult> results = new ArrayList<>();
        while (!underWay.isEmpty()) {
            results.add(awaitResult(underWay.removeFirst()));
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
                results.add(awaitResult(sent));
            }
        }
        return results;
    }

    private MoveResult awaitResult(Sent sent) {
        MoveResult result = sent.result();
        if (result.silence() != null) {
            silence = result.silence();
        }
        return result;
    }
}
