package org.treerename.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.Watermark;
import org.treerename.lock.LockStore;
import org.treerename.process.ProcessStore;
import org.treerename.request.Outcomes;
import org.treerename.store.Interference.Call;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore;

/**
 * Numbers the calls of stores, and runs an {@link Interference} before and after each call. Any thread may call this
 * class.
 */
public final class Calls {

    /** The first part of the names of the calls of each store. */
    private static final Map<Class<?>, String> NAMES = Map.of(
            Journal.class, "journal",
            LockStore.class, "locks",
            Outcomes.class, "outcomes",
            ProcessStore.class, "processes",
            TreeStore.class, "tree",
            Watermark.class, "watermark");

    private static final Set<String> WRITES = Set.of(
            "prepare",
            "create",
            "write",
            "delete",
            "release",
            "releaseFromDocuments",
            "move",
            "remove",
            "publish",
            "raise");

    /** The methods that make other calls of the same store. These methods are not calls themselves. */
    private static final Set<String> COMPOSED = Set.of("readOfRequest", "moves", "confirmed");

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

    /** Returns a store whose calls this object numbers and passes to the given store. */
    public <S> S around(Class<S> port, S store) {
        InvocationHandler handler = (proxy, method, given) -> {
            if (COMPOSED.contains(method.getName())) {
                return InvocationHandler.invokeDefault(proxy, method, given);
            }
            Object[] arguments = given == null ? new Object[0] : given;
            MethodHandle effect = MethodHandles.publicLookup().unreflect(method).bindTo(store);
            if (method.getDeclaringClass() == Object.class) {
                return effect.invokeWithArguments(arguments);
            }
            String name = name(port, method, arguments);
            Object answer = run(name, WRITES.contains(method.getName()), () -> effect.invokeWithArguments(arguments));
            return answer instanceof TreeStore.Scan scan ? new Pages(scan, this) : answer;
        };
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
    }

    /** Returns the name of a call. The name of a call about entries in one state ends with this state. */
    private static String name(Class<?> port, Method method, Object[] arguments) {
        String state = Stream.of(arguments)
                .map(argument -> argument instanceof JournalEntry entry ? entry.state() : argument)
                .filter(State.class::isInstance)
                .map(argument -> " " + argument)
                .findFirst()
                .orElse("");
        return NAMES.get(port) + "." + method.getName() + state;
    }

    private record Pages(TreeStore.Scan scan, Calls calls) implements TreeStore.Scan {

        @Override
        public List<Document> nextPage() {
            return calls.run("tree.nextPage", false, scan::nextPage);
        }

        @Override
        public void close() {
            scan.close();
        }
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

    private interface Effect<T, X extends Throwable> {
        T run() throws X;
    }

    private <T, X extends Throwable> T run(String name, boolean isWrite, Effect<T, X> effect) throws X {
        Call call = next(name, isWrite);
        Interference now = current();
        now.before(call);
        T answer = effect.run();
        now.after(call);
        return answer;
    }

    private synchronized Interference current() {
        return interference;
    }
}
