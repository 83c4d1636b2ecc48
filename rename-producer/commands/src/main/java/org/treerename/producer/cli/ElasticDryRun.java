package org.treerename.producer.cli;

import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.ElasticTreeSurvey;
import org.treerename.journal.LockBooks;
import org.treerename.producer.forecast.DryRun;
import org.treerename.producer.forecast.Forecast;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Creates the forecast of a rename from the trees and the control index in Elasticsearch. */
public final class ElasticDryRun {

    /** Has no effect, because a dry run requests no page. */
    private static final int PAGE = 1_000;

    private ElasticDryRun() {}

    static Forecast of(Elastic.Settings settings, RenameRequest request) {
        try (Elastic elastic = Elastic.connect(settings)) {
            return of(elastic, request);
        }
    }

    /** Creates the forecast with a connection that this method does not close. */
    public static Forecast of(Elastic elastic, RenameRequest request) {
        ControlIndex control = new ControlIndex(elastic);
        ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
        // read all namespaces, so that the dry run detects an index that two namespaces share
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
