package org.treerename.store;

import java.util.Random;

/**
 * An interference with the calls of wrapped stores. If {@link #before} throws, the call has no effect. If {@link
 * #after} throws, the answer to the call is lost.
 */
public interface Interference {

    /**
     * One call of a store.
     * @param number the number of this call; reads and writes are counted separately, from 1
     * @param name the store and the method, as in {@code journal.prepare}
     */
    record Call(int number, String name, boolean isWrite) {}

    default void before(Call call) {}

    default void after(Call call) {}

    static Interference none() {
        return new Interference() {};
    }

    /** Returns an interference that loses the answer to the write with this number. The write takes effect. */
    static Interference answerLostAt(int write) {
        return new Interference() {
            @Override
            public void after(Call call) {
                if (call.isWrite() && call.number() == write) {
                    throw new NoAnswerException("the answer to " + call + " is lost", null);
                }
            }
        };
    }

    /** Returns an interference that loses the write with this number. The write has no effect. */
    static Interference notArrivedAt(int write) {
        return new Interference() {
            @Override
            public void before(Call call) {
                if (call.isWrite() && call.number() == write) {
                    throw new NoAnswerException(call + " does not arrive", null);
                }
            }
        };
    }

    /** Returns an interference that loses each call and each answer with the probability {@code chance}. */
    static Interference randomly(long seed, double chance) {
        Random random = new Random(seed);
        return new Interference() {
            @Override
            public void before(Call call) {
                if (random.nextDouble() < chance) {
                    throw new NoAnswerException(call + " does not arrive", null);
                }
            }

            @Override
            public void after(Call call) {
                if (random.nextDouble() < chance) {
                    throw new NoAnswerException("the answer to " + call + " is lost", null);
                }
            }
        };
    }

    /** Returns an interference that runs {@code event} before the n-th call with this name. */
    static Interference before(String name, int nth, Runnable event) {
        return new Interference() {
            private int seen;

            @Override
            public void before(Call call) {
                if (call.name().equals(name) && ++seen == nth) {
                    event.run();
                }
            }
        };
    }

    /** Returns an interference that runs {@code event} after the n-th call with this name has taken effect. */
    static Interference after(String name, int nth, Runnable event) {
        return new Interference() {
            private int seen;

            @Override
            public void after(Call call) {
                if (call.name().equals(name) && ++seen == nth) {
                    event.run();
                }
            }
        };
    }
}
