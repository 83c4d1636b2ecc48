package org.treerename.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.RenameClient;

/**
 * Subscribes the {@link OutcomeListener} of the application. If the application has several listeners, one listener
 * must be the primary bean. Otherwise the application does not start.
 */
@AutoConfiguration(after = RenameClientAutoConfiguration.class)
@ConditionalOnBean({RenameClient.class, OutcomeListener.class})
public class OutcomeListenerAutoConfiguration {

    @Bean
    OutcomeListenerLifecycle treeRenameOutcomeListener(
            RenameClient client, OutcomeListener listener, TreeRenameProperties properties) {
        return new OutcomeListenerLifecycle(client, listener, properties.start());
    }
}
