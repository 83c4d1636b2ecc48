package org.treerename.steps;

import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Stores;
import org.treerename.steps.Step.Answer;
import org.treerename.store.NoAnswerException;

/** Where steps are told, each when its answer has come. Any thread may call it. */
public interface Steps {

    void took(Step step);

    /** The stores, with every step told. */
    static Stores recorded(Stores stores, Steps steps) {
        return new Stores(
                stores.namespaces(),
                new RecordedJournal(stores.journal(), steps),
                new RecordedLockStore(stores.locks(), steps),
                new RecordedTreeStore(stores.tree(), steps),
                new RecordedOutcomes(stores.outcomes(), steps));
    }

    /** The stores as they are; where this room's logger tells of debugging, with every step in the log. */
    static Stores logged(Stores stores) {
        Logger log = LoggerFactory.getLogger(Steps.class);
        return log.isDebugEnabled() ? recorded(stores, step -> log.debug("{}", step)) : stores;
    }

    /** Makes a call and tells it, also where no answer comes. */
    default <T> T tell(Step step, Supplier<T> call, Function<T, Step> told) {
        T answer;
        try {
            answer = call.get();
        } catch (NoAnswerException e) {
            took(step);
            throw e;
        }
        took(told.apply(answer));
        return answer;
    }

    /** A step whose answer has not come. */
    static Step unanswered(String call, String request) {
        return Step.of(call, request, Answer.UNKNOWN);
    }
}
