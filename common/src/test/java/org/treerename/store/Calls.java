package org.treerename.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.treerename.store.Interference.Call;

/**
 * Numbers the calls of wrapped stores, and runs an {@link Interference} before and after each call. Any thread may call
 * this class.
 */
public final class Calls {

    private final List<Call> made = new ArrayList<>();
    private Interference interference;
    private int reads;
    private int writes;

    public Calls(Interference interference) {
        this.interference = interference;
    }

    /** Replaces the interference for all later calls. */
    public synchronized void interfere(Interference next) {
        interference = next;
    }

    public <T> T read(String name, Supplier<T> effect) {
        return run(next(name, false), effect);
    }

    public <T> T write(String name, Supplier<T> effect) {
        return run(next(name, true), effect);
    }

    public void write(String name, Runnable effect) {
        write(name, () -> {
            effect.run();
            return true;
        });
    }

    /** Returns all calls so far, including calls that got no answer. */
    public synchronized List<Call> made() {
        return List.copyOf(made);
    }

    public List<Call> writesMade() {
        return made().stream().filter(Call::isWrite).toList();
    }

    private synchronized Call next(String name, boolean isWrite) {
        Call call = new Call(isWrite ? ++writes : ++reads, name, isWrite);
        made.add(call);
        return call;
    }

    private <T> T run(Call call, Supplier<T> effect) {
        Interference now = current();
        now.before(call);
        T answer = effect.get();
        now.after(call);
        return answer;
    }

    private synchronized Interference current() {
        return interference;
    }
}
