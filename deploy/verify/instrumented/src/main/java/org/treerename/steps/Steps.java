package org.treerename.steps;

import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Stores;
import org.treerename.steps.Step.Answer;
import org.treerename.store.NoAnswerException;

/**
 * Receives each step when the answer to its call has arrived, or when the wait for the answer has ended. Any thread may
 * call this interface.
 */
public interface Steps {

    void took(Step step);

    /** Returns stores that record every step. */
    static Stores recorded(Stores stores, Steps steps) {
        return new Stores(
                stores.namespaces(),
                new RecordedJournal(stores.journal(), steps),
                new RecordedLockStore(stores.locks(), steps),
                new RecordedTreeStore(stores.tree(), steps),
                new RecordedOutcomes(stores.outcomes(), steps));
    }

    /** Returns stores that log every step. */
    static Stores logged(Stores stores) {
        Logger log = LoggerFactory.getLogger(Steps.class);
        return recorded(stores, step -> log.info("{}", step));
    }

    /**
     * Makes a call and records the call, even if no answer arrives.
     *
     * @param step the step to record if no answer arrives
     * @param answered returns the step to record for the answer
     */
    default <T> T report(Step step, Supplier<T> call, Function<T, Step> answered) {
        T answer;
        try {
            answer = call.get();
        } catch (NoAnswerException e) {
            took(step);
            throw e;
        }
        took(answered.apply(answer));
        return answer;
    }

    /** Returns a step whose answer has not arrived. */
    static Step unanswered(String call, String request) {
        return Step.of(call, request, Answer.UNKNOWN);
    }
}
