package org.treerename.elastic;

import org.treerename.tree.TreeSurvey;
import org.treerename.tree.TreeSurveyContract;

class ElasticTreeSurveyIT extends TreeSurveyContract {

    private final ElasticTreeSurvey survey = new ElasticTreeSurvey(RealElastic.ELASTIC, PAGE);

    @Override
    protected TreeSurvey survey() {
        return survey;
    }

    @Override
    protected void createIndex(String name) {
        RealElastic.createTreeIndex(name, "\"max_result_window\": 10000");
    }

    @Override
    protected void alias(String alias, String... indices) {
        RealElastic.alias(alias, indices);
    }

    @Override
    protected void put(String into, String id, String source) {
        RealElastic.put(into, id, null, source);
    }
}
