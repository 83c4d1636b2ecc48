package org.treerename.simulation.schedule;

import java.util.List;
import java.util.SplittableRandom;

/** A source of random values. The same seed gives the same values. */
public final class Chance {

    private final SplittableRandom random;

    public Chance(long seed) {
        this.random = new SplittableRandom(seed);
    }

    public boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    public double share() {
        return random.nextDouble();
    }

    /** Returns a number from 0 to bound - 1. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns a number from {@code low} to {@code high}, both included. */
    public long between(long low, long high) {
        return low + (high <= low ? 0 : random.nextLong(high - low + 1));
    }

    public <T> T of(List<T> several) {
        return several.get(below(several.size()));
    }
}
