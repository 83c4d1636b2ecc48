package org.treerename.store;

import java.util.Random;

/**
 * What happens around the calls of wrapped ports. Throwing before a call keeps it from taking effect; throwing after it
 * loses its answer.
 */
public interface Interference {

    /**
     * One call of one port.
     *
     * @param number of this call among the writes, or among the reads, from 1
     * @param name the port and the method, as in {@code journal.prepare}
     */
    record Call(int number, String name, boolean isWrite) {}

    default void before(Call call) {}

    default void after(Call call) {}

    static Interference none() {
        return new Interference() {};
    }

    /** The n-th write takes effect, but nobody hears of it. */
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

    /** The n-th write does not arrive. */
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

    /** A share of all calls does not arrive, and of as many the answer is lost. */
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

    /** Something else happens just before the n-th call of that name. */
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

    /** Something else happens just after the n-th call of that name took effect. */
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
