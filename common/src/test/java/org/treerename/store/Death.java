package org.treerename.store;

import org.treerename.store.Interference.Call;

/**
 * Simulates the death of a process at one of its calls, in unit tests. The code of the project does not catch this
 * error.
 */
public final class Death extends Error {

    private static final long serialVersionUID = 1L;

    /**
     * Returns an interference that ends the process at this call. If {@code arrived} is true, the process ends after
     * the call has taken effect. Otherwise the process ends before the call.
     */
    public static Interference at(Call last, boolean arrived) {
        return new Interference() {
            @Override
            public void before(Call call) {
                if (!arrived && call.equals(last)) {
                    throw new Death();
                }
            }

            @Override
            public void after(Call call) {
                if (arrived && call.equals(last)) {
                    throw new Death();
                }
            }
        };
    }

    /** Returns an interference that ends the process after the n-th call with this name. */
    public static Interference after(String name, int nth) {
        return Interference.after(name, nth, () -> {
            throw new Death();
        });
    }

    /** Runs a process until it dies or ends. Returns true if it died. */
    public static boolean of(Runnable process) {
        try {
            process.run();
            return false;
        } catch (Death death) {
            return true;
        }
    }
}
