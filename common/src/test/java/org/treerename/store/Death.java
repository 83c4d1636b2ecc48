package org.treerename.store;

import org.treerename.store.Interference.Call;

/** A process dies at a call: nothing in the project catches it. */
public final class Death extends Error {

    private static final long serialVersionUID = 1L;

    /** The last thing that the process does is this write, which arrives or does not. */
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

    /** The last thing that the process does is the n-th call of that name. */
    public static Interference after(String name, int nth) {
        return Interference.after(name, nth, () -> {
            throw new Death();
        });
    }

    /** Runs until it dies or ends, and whether it died. */
    public static boolean of(Runnable process) {
        try {
            process.run();
            return false;
        } catch (Death death) {
            return true;
        }
    }
}
