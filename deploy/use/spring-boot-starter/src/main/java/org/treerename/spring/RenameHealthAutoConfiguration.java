package org.treerename.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.TreeReader;

/**
 * Creates the health indicators {@code treeRenameKafka} and {@code treeRenameElasticsearch} if the class path contains
 * the health indicators of Spring Boot.
 */
@AutoConfiguration(after = RenameClientAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
public class RenameHealthAutoConfiguration {

    @Bean
    @ConditionalOnBean(ProducerSettings.class)
    @ConditionalOnMissingBean(name = "treeRenameKafkaHealthIndicator")
    KafkaHealthIndicator treeRenameKafkaHealthIndicator(ProducerSettings settings) {
        return new KafkaHealthIndicator(settings);
    }

    @Bean
    @ConditionalOnBean(TreeReader.class)
    @ConditionalOnMissingBean(name = "treeRenameElasticsearchHealthIndicator")
    ElasticsearchHealthIndicator treeRenameElasticsearchHealthIndicator(TreeReader reader) {
        return new ElasticsearchHealthIndicator(reader);
    }
}
