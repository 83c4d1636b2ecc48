/**
 * The protocol as models in TLA+, and the model checker TLC, which visits every state that a model can reach. Six small
 * models are in {@code src/main/tla}. Each model describes one part of the protocol. The comment at the head of a model
 * lists the omitted parts:
 *
 * <ul>
 *   <li>{@code Attempts}: one request: attempts, void attempts, redelivery, commit, move, release for a retry, and
 *       roll-forward;
 *   <li>{@code SharedLocks}: renames in one tree, and the facts that a rename checks under its locks;
 *   <li>{@code Janitors}: heartbeat, fence, take-over by several janitors, sweep;
 *   <li>{@code LateWrites}: writes that arrive late or twice;
 *   <li>{@code Claims}: every rename ends, and a refused request only reads while it waits;
 *   <li>{@code Readers}: a reader shows each rename as one step when the rename commits, even while the documents move.
 * </ul>
 *
 * <p>{@code LockTable} and {@code Paths} contain the rules that the models share. An action has the name of the Java
 * class and the method that do the same step, for example {@code LockAttempts_attempt}. Actions whose names begin with
 * {@code Elasticsearch_}, {@code Kafka_}, {@code Process_} and {@code Other_} describe events outside the services. The
 * steps of the reader have other names.
 *
 * <p>A configuration ({@code .cfg}) sets the size of a model. Each guard of the protocol is a constant in the
 * configuration. The comment after the constant names the property that does not hold without the guard. {@code
 * Attempts.cfg} and {@code Attempts-twice.cfg} are both configurations of {@code Attempts.tla}.
 *
 * <p>The file {@code checked.txt} records the checks that TLC has finished. A build repeats only the checks whose input
 * has changed ({@link org.treerename.protocol.Checked}).
 *
 * <p>Two kinds of tests connect the models with the code. A test searches the code for the Java method that each action
 * names. With {@link org.treerename.protocol.Recording}, TLC searches for a path through {@code Attempts} with exactly
 * the steps of a recorded run of the services.
 */
@NullMarked
package org.treerename.protocol;

import org.jspecify.annotations.NullMarked;
