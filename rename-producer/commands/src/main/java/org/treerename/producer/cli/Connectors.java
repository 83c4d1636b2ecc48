package org.treerename.producer.cli;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.treerename.elastic.Elastic;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.forecast.Forecast;
import org.treerename.request.ParsedRequest.RenameRequest;

/** The functions that connect the commands to the servers. */
record Connectors(
        Function<ProducerSettings, RenameProducer> kafka,
        BiFunction<Elastic.Settings, RenameRequest, Forecast> dryRun,
        Function<Elastic.Settings, JournalRequests> requests) {}
