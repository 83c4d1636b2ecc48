package org.treerename.store;

import org.treerename.store.Interference.Call;

/** The death of a process at a call, in unit tests. No code of the project catches this error. */
public final class Death extends Error {

    private static final long serialVersionUID = 1L;

    /**
     * Returns an interference that ends the process at this call: after the call has taken effect if {@code arrived},
     * otherwise before the call.
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
