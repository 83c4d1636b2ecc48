package org.treerename.spring;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameClient;
import org.treerename.producer.RenameProducer;

/**
 * Creates a {@link RenameClient} from {@link ProducerSettings}. The client connects when the application starts, so the
 * start fails if Kafka does not answer. If the application has a {@code MeterRegistry}, the client measures its
 * requests.
 */
@AutoConfiguration(after = TreeRenameAutoConfiguration.class)
@ConditionalOnBean(ProducerSettings.class)
public class RenameClientAutoConfiguration {

    private static final String METRICS = "io.micrometer.core.instrument.MeterRegistry";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(METRICS)
    static class Plain {

        @Bean
        @ConditionalOnMissingBean
        RenameClient renameClient(ProducerSettings settings) {
            return RenameProducer.connect(settings);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = METRICS)
    static class Measured {

        @Bean
        @ConditionalOnMissingBean
        RenameClient renameClient(ProducerSettings settings, ObjectProvider<MeterRegistry> registries) {
            MeterRegistry registry = registries.getIfAvailable();
            RenameClient client = RenameProducer.connect(settings);
            return registry == null ? client : new MeasuredRenameClient(client, registry);
        }
    }
}
