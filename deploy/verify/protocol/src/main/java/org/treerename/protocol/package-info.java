/**
 * Models of the protocol in TLA+, and classes that run the model checker TLC. TLC visits every state that a model can
 * reach. Each model describes one part of the protocol. The comment at the head of a model lists the parts that the
 * model omits. These six models are in {@code src/main/tla}:
 *
 * <ul>
 *   <li>{@code Attempts}: one request: attempts, void attempts, redelivery, commit, move, release for a retry, and
 *       roll-forward;
 *   <li>{@code SharedLocks}: renames in one tree, and the facts that a rename checks while it holds its locks;
 *   <li>{@code Janitors}: heartbeat, fence, take-over by several janitors, sweep;
 *   <li>{@code LateWrites}: writes that arrive late or twice;
 *   <li>{@code Claims}: every rename ends, and a refused request only reads while it waits;
 *   <li>{@code Readers}: a reader shows each rename as one step when the rename commits, even while the documents move.
 * </ul>
 *
 * <p>{@code LockTable} and {@code Paths} contain the rules that the models share. The name of an action consists of a
 * Java class and its method that does the same step, for example {@code LockAttempts_attempt}. Actions whose names
 * begin with {@code Elasticsearch_}, {@code Kafka_}, {@code Process_} or {@code Other_} describe events outside the
 * services. The names of the reader's actions begin with {@code Reader}, and contain no name of a method.
 *
 * <p>A configuration ({@code .cfg}) sets the size of a model. Each {@link org.treerename.protocol.Guard} of the
 * protocol is a constant in the configuration. The comment after the constant names the property that does not hold
 * without the guard. {@code Attempts.cfg} and {@code Attempts-twice.cfg} are both configurations of {@code
 * Attempts.tla}.
 *
 * <p>The file {@code checked.txt} records the checks that TLC has finished. A build repeats only the checks whose input
 * has changed ({@link org.treerename.protocol.Checked}).
 *
 * <p>Two kinds of tests connect the models with the code. The first kind searches the code for the Java method that
 * each action names. The second kind records the steps of a run of the services ({@link
 * org.treerename.protocol.Recording}). TLC must find a path through {@code Attempts} with exactly the recorded steps.
 */
@NullMarked
package org.treerename.protocol;

import org.jspecify.annotations.NullMarked;
