package org.treerename.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.TreeReader;
import org.treerename.producer.reader.TreeViews;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriterSettings;

/**
 * Creates the settings of the client if {@code tree-rename.kafka.bootstrap-servers} is set. Creates a {@link
 * TreeReader} and {@link TreeLocks} if {@code tree-rename.elasticsearch.urls} is set. If the application has a bean of
 * one of these types, this class creates no bean of this type.
 */
@AutoConfiguration
@EnableConfigurationProperties(TreeRenameProperties.class)
public class TreeRenameAutoConfiguration {

    private static final String KAFKA = "tree-rename.kafka.bootstrap-servers";
    private static final String ELASTICSEARCH = "tree-rename.elasticsearch.urls";

    @Bean
    @ConditionalOnProperty(KAFKA)
    @ConditionalOnMissingBean
    ProducerSettings treeRenameProducerSettings(TreeRenameProperties properties) {
        return properties.producer();
    }

    /** Creates a reader. The reader connects at its first request. */
    @Bean
    @ConditionalOnProperty(ELASTICSEARCH)
    @ConditionalOnMissingBean
    TreeReader treeReader(TreeRenameProperties properties) {
        return TreeReader.connect(properties.reader(), TreeViews.Options.DEFAULT);
    }

    @Bean
    @ConditionalOnProperty(ELASTICSEARCH)
    @ConditionalOnMissingBean
    WriterSettings treeRenameWriterSettings(TreeRenameProperties properties) {
        return properties.locks();
    }

    /** Creates the locks. The locks connect when a program acquires the first lock. */
    @Bean
    @ConditionalOnBean(WriterSettings.class)
    @ConditionalOnMissingBean
    TreeLocks treeLocks(WriterSettings settings) {
        return TreeLocks.connect(settings);
    }
}
