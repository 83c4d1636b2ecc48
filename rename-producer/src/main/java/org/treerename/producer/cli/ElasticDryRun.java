package org.treerename.producer.cli;

import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.ElasticTreeSurvey;
import org.treerename.rename.DryRun;
import org.treerename.rename.Forecast;
import org.treerename.rename.LockBooks;
import org.treerename.rename.ParsedRequest.RenameRequest;

/** The one place of the command line that knows what Elasticsearch keeps. */
final class ElasticDryRun {

    /** Paths in one page of a survey, of which none is asked for here. */
    private static final int PAGE = 1_000;

    private ElasticDryRun() {}

    static Forecast of(Elastic.Settings settings, RenameRequest request) {
        try (Elastic elastic = Elastic.connect(settings)) {
            ControlIndex control = new ControlIndex(elastic);
            ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
            // so that an index that two of them share is noticed
            var known = namespaces.all();
            ElasticJournal journal = new ElasticJournal(control);
            return new DryRun(
                            LockBooks.of(namespaces, journal, new ElasticLockStore(control)),
                            new ElasticProcessStore(control),
                            new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT, () -> known),
                            new ElasticTreeSurvey(elastic, PAGE),
                            journal)
                    .of(request);
        }
    }
}
