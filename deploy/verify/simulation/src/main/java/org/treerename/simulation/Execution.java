package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.View;
import org.treerename.simulation.schedule.Actor;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** One execution of a request, item by item. Items of other requests may run between the items of this request. */
final class Execution {

    private static final double PAUSE_BETWEEN_ITEMS = 0.3;

    /** If a node is cut off, the share of its searches that use the copies of this node, and not the primaries. */
    private static final double SEARCHES_OWN = 0.85;

    private final Network network;
    private final Stage stage;
    private final Call<?> call;
    private final Actor actor;
    private final Request<?> request;
    private final Faults faults;
    private final boolean answering;
    private final List<@Nullable Object> done = new ArrayList<>();
    private final int length;
    private @Nullable View view;
    private boolean meets;
    private @Nullable RuntimeException refusal;

    /** @param answering whether the sender receives the result of this execution */
    Execution(Network network, Call<?> call, boolean answering) {
        this.network = network;
        this.stage = network.stage();
        this.call = call;
        this.actor = call.actor();
        this.request = call.request();
        this.faults = call.faults();
        this.answering = answering;
        int items = request.items().size();
        this.length = items > 1 && stage.chance().happens(faults.prefix())
                ? stage.chance().below(items)
                : items;
    }

    void begin() {
        if (!actor.isAlive() && stage.chance().happens(faults.stays())) {
            network.queue(this::arrive);
            stage.scheduler().afterWithoutKill(stage.chance().between(0, Faults.LATEST.toNanos()), this::arrive);
        } else {
            arrive();
        }
    }

    /**
     * Begins the execution. Does nothing if the execution has begun, because two events may be planned for one
     * execution.
     */
    void arrive() {
        if (view != null || network.isClosed()) {
            return;
        }
        int coordinator = network.nodeOf(actor, request);
        meets = coordinator != 0 && stage.chance().happens(request.isSearch() ? SEARCHES_OWN : faults.met());
        view = new View(network.cluster(), call.sender(), meets ? coordinator : 0, coordinator);
        if (!call.isWaiting()) {
            stage.arrivesLate(actor);
        }
        stage.report(
                actor.name(),
                () -> request.what().get()
                        + (call.isWaiting() ? "" : " (late)")
                        + (meets ? " (at the cut-off node)" : ""));
        proceed();
    }

    private void proceed() {
        if (network.isClosed()) {
            return;
        }
        View met = Objects.requireNonNull(view);
        while (done.size() < length) {
            done.add(applied(met, request.items().get(done.size())));
            if (done.size() < length && stage.chance().happens(PAUSE_BETWEEN_ITEMS)) {
                stage.scheduler().afterWithoutKill(network.latency(faults), this::proceed);
                return;
            }
        }
        end(met);
    }

    /** If the item fails, the other items are still applied, and the failure is the answer to the whole request. */
    private @Nullable Object applied(View met, Request.Item item) {
        try {
            if (stage.chance().happens(faults.turnedAway())) {
                Happening how = request.isSearch() ? Happening.SHARD_LOST : Happening.TURNED_AWAY;
                String what = request.isSearch() ? "no answer to" : "a rejection of";
                call.happened(how, "gets " + what + " item " + done.size() + " of: ");
                return item.turnedAway();
            }
            return item.apply(met);
        } catch (NoAnswerException | RefusedException e) {
            refusal = e;
            return null;
        }
    }

    private void end(View met) {
        if (met.hasCompared()) {
            network.compared(actor);
        }
        if (met.isStale()) {
            call.happened(Happening.STALE_READ, "reads a stale document: ");
        }
        if (met.isDirty()) {
            call.happened(Happening.DIRTY_SEARCH, "misses a document that was moved only in a cut-off copy: ");
        }
        if (length < request.items().size()) {
            call.expire();
            call.happened(Happening.PREFIX_OF_A_BULK, "executes only the first " + length + " items of: ");
        } else if (met.isUnacknowledged()) {
            call.expire();
            call.happened(Happening.DIRTY_WRITE, "writes to a cut-off copy: ");
        } else if (stage.chance().happens(faults.lostAnswer())) {
            call.expire();
            call.happened(Happening.LOST_ANSWER, "loses the answer to: ");
        } else if (answering) {
            stage.scheduler()
                    .afterWithoutKill(
                            network.latency(faults), () -> call.answer(refusal == null ? done : null, refusal));
        }
    }
}
