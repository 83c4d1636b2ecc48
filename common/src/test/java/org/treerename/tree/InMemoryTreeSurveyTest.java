package org.treerename.tree;

class InMemoryTreeSurveyTest extends TreeSurveyContract {

    private final InMemoryTreeStore tree = new InMemoryTreeStore(PAGE);
    private final InMemoryTreeSurvey survey = new InMemoryTreeSurvey(tree, PAGE);

    @Override
    protected TreeSurvey survey() {
        return survey;
    }

    @Override
    protected void createIndex(String name) {
        tree.createIndex(name);
    }

    @Override
    protected void alias(String alias, String... indices) {
        tree.alias(alias, indices);
    }

    @Override
    protected void put(String into, String id, String source) {
        tree.put(into, id, null, source);
    }
}
