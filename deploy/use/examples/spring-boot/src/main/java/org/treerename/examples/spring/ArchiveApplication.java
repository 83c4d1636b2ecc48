package org.treerename.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.treerename.producer.OutcomeListener;

/**
 * Archives a directory. The application holds the locks of the directory for a moment, as a writer does. Then it
 * renames the directory into the archive. The properties {@code archive.*} name the namespace, the source and the
 * destination.
 *
 * <pre>{@code
 * java -cp 'target/*:target/lib/*' org.treerename.examples.spring.ArchiveApplication --archive.namespace=files \
 *     --archive.source=/drafts --archive.destination=/old \
 *     --tree-rename.kafka.bootstrap-servers=localhost:9092 --tree-rename.elasticsearch.urls=http://localhost:9200
 * }</pre>
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(ArchiveProperties.class)
public class ArchiveApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ArchiveApplication.class, arguments);
    }

    /** Returns a listener that prints each outcome, including the outcomes of other programs' requests. */
    @Bean
    OutcomeListener outcomeListener() {
        return (published, position) ->
                System.out.println("received: " + published.outcome().status().published() + " "
                        + published.outcome().message());
    }
}
