/**
 * The protocol as models in TLA+, and TLC, which looks at every state that they can reach. Six small models stand in {@code
 * src/main/tla}, each with the part of the protocol that it is about; the comment at the head of each says what it leaves
 * out:
 *
 * <ul>
 *   <li>{@code Attempts}: a request and its attempts, void ones, redelivery, commit, move, give-back and roll-forward;
 *   <li>{@code SharedLocks}: renames in a tree, and the facts that are checked under the locks;
 *   <li>{@code Janitors}: heartbeat, fence, take-over by several janitors, sweep;
 *   <li>{@code LateWrites}: writes that arrive late or twice;
 *   <li>{@code Claims}: every rename ends, and a refused request waits by reads;
 *   <li>{@code Readers}: a reader that shows each rename whole, at its commit, while it moves.
 * </ul>
 *
 * <p>{@code LockTable} and {@code Paths} are the rules that they share. An action has the name of the Java method that
 * takes the step, with its class before it: {@code Acquisition_attempt}; those of {@code Elasticsearch_}, {@code Kafka_},
 * {@code Process_} and {@code Other_} are what happens around the services. The steps of
 * the reader have names of their own.
 *
 * <p>A configuration ({@code .cfg}) says how large the world is. Each guard of the protocol is a constant there; the comment
 * behind it says which property breaks without it. {@code Attempts.cfg} is a configuration of {@code Attempts.tla}, and so is
 * {@code Attempts-twice.cfg}.
 *
 * <p>The file {@code checked.txt} records what TLC has checked, so that a build repeats only what has changed
 * ({@link org.treerename.protocol.Checked}).
 *
 * <p>The tie to the code: a test looks for a method of each action's name, and {@link org.treerename.protocol.Recording} has
 * TLC look for a way through {@code Attempts} in which recorded runs of the services happen just as they did.
 */
@NullMarked
package org.treerename.protocol;

import org.jspecify.annotations.NullMarked;
