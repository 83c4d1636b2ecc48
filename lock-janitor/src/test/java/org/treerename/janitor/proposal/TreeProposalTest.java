package org.treerename.janitor.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;

final class TreeProposalTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static List<SampleDocument> documents(String... sources) {
        List<SampleDocument> documents = new ArrayList<>();
        for (String source : sources) {
            try {
                documents.add(SampleDocument.of(MAPPER.readTree(source.replace('\'', '"'))));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(e);
            }
        }
        return documents;
    }

    private static Optional<PathGuess> guess(List<SampleDocument> documents) {
        return PathGuess.of(documents, field -> true, null, null);
    }

    private static TreeProposal proposal(String... sources) {
        List<SampleDocument> documents = documents(sources);
        PathGuess guess = guess(documents).orElseThrow();
        return TreeProposal.of(guess, documents, List.of(), guess.parents(documents, 100));
    }

    private static Namespace namespace(Notation notation, Fields fields, @Nullable Directories directories) {
        return new Namespace("n", "i", notation, fields, directories, Rules.DEFAULT);
    }

    @Test
    void proposes_every_field_of_a_tree_of_files() {
        TreeProposal proposal = proposal(
                "{'path':'/a','parent':'/','name':'a','depth':1,'above':[],'type':'directory','size':3}",
                "{'path':'/a/b','parent':'/a','name':'b','depth':2,'above':['/a'],'type':'directory','size':2}",
                "{'path':'/a/b/c.txt','parent':'/a/b','name':'c.txt','depth':3,'above':['/a','/a/b'],'type':'file',"
                        + "'url':'https://x/a/b/c.txt'}",
                "{'path':'/a/b/d.txt','parent':'/a/b','name':'d.txt','depth':3,'above':['/a','/a/b'],'type':'file',"
                        + "'url':'https://x/a/b/d.txt'}",
                "{'path':'/e.txt','parent':'/','name':'e.txt','depth':1,'above':[],'type':'file','url':'https://x/e.txt'}");

        Fields fields = new Fields(
                "path",
                "path.keyword",
                Fields.Holds.PATH,
                "parent",
                "name",
                "depth",
                "above",
                List.of(),
                List.of("url"));
        assertThat(proposal.namespace("n", "i", "path.keyword"))
                .isEqualTo(namespace(Notation.SLASHES, fields, new Directories("type", "directory")));
        assertThat(proposal.remarks())
                .containsExactly(
                        "renames overwrite these fields, because their values follow from the path: name, parent,"
                                + " above, depth, url; remove a field from the definition if renames must not change"
                                + " it",
                        "2 of 2 directories have a document");
    }

    @ParameterizedTest
    @CsvSource({"title, 29.txt", "name, written by a person"})
    void a_field_that_people_may_have_written_is_not_rewritten(String field, String last) {
        TreeProposal proposal = proposal(IntStream.range(0, 30)
                .mapToObj(i -> "{'path':'/a/%d.txt','%s':'%s'}".formatted(i, field, i < 29 ? i + ".txt" : last))
                .toArray(String[]::new));

        assertThat(proposal.namespace("n", "i", null))
                .isEqualTo(namespace(Notation.SLASHES, Fields.of("path", null, null), null));
        assertThat(proposal.remarks().getFirst())
                .startsWith("the field " + field + " contains the name of the document");
    }

    @Test
    void reports_values_that_a_rename_would_replace() {
        TreeProposal proposal = proposal(IntStream.range(0, 40)
                .mapToObj(i -> "{'path':'/a/b%d','parent':'%s'}".formatted(i, i == 0 ? "/elsewhere" : "/a"))
                .toArray(String[]::new));

        assertThat(proposal.remarks())
                .contains(
                        "the field parent does not agree with the path in 1 of 40 documents: a rename of these documents"
                                + " replaces the value");
    }

    @Test
    void a_directory_need_not_be_a_document() {
        TreeProposal proposal = proposal("{'path':'/a/b/1','type':'x'}", "{'path':'/a/b/2','type':'y'}");

        assertThat(proposal.namespace("n", "i", null).directories()).isNull();
        assertThat(proposal.remarks())
                .containsExactly("directories are not documents; without directory_field, a directory exists as long as"
                        + " documents are below it");
    }

    @Test
    void proposes_no_directory_field_if_only_some_directories_are_documents() {
        TreeProposal proposal = proposal(
                "{'path':'/a','type':'directory'}", "{'path':'/a/1','type':'file'}", "{'path':'/b/1','type':'file'}");

        assertThat(proposal.namespace("n", "i", null).directories()).isNull();
        assertThat(proposal.remarks()).singleElement().asString().startsWith("only 1 of 2 directories have a document");
    }

    @Test
    void a_field_that_is_true_or_false_cannot_mark_directories() {
        TreeProposal proposal = proposal("{'path':'/a','is_dir':true}", "{'path':'/a/1','is_dir':false}");

        assertThat(proposal.namespace("n", "i", null).directories()).isNull();
        assertThat(proposal.remarks().getLast()).contains("the field is_dir contains true or false, not a text");
    }

    @Test
    void does_not_guess_about_directories_that_it_cannot_search_for() {
        List<SampleDocument> documents = documents("{'path':'/a/1'}", "{'path':'/b/2'}");

        assertThat(TreeProposal.of(guess(documents).orElseThrow(), documents, List.of(), null)
                        .remarks())
                .singleElement()
                .asString()
                .contains("it is not known whether directories are documents");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "/a/b | /c/d; / true false",
                "a/b | c/d; / false false",
                "a.b.c | a.b.d; . false false",
                "shop.\"orders.v2\".id | shop.x.y; . false true",
                "C:\\\\a\\\\b | C:\\\\c; \\ false false",
                "a::b | a::c; :: false false",
                "a > b | a > c > d;  >  false false",
            })
    void recognises_separators_and_conventions(String paths, String expected) throws JsonProcessingException {
        List<SampleDocument> documents = new ArrayList<>();
        for (String path : paths.split(" \\| ")) {
            documents.add(SampleDocument.of(MAPPER.createObjectNode().put("p", path.replace("\\\\", "\\"))));
        }

        Notation notation = guess(documents).orElseThrow().notation();

        assertThat(notation.separator().strip() + " " + notation.leading() + " " + notation.quoted())
                .isEqualTo(expected.strip().replaceAll(" +", " "));
    }

    @Test
    void counts_paths_that_do_not_follow_the_convention_of_the_others() {
        TreeProposal proposal = proposal(
                "{'path':'/a/'}",
                "{'path':'/a/1'}",
                "{'path':'/a/2'}",
                "{'path':'b/1'}",
                "{'path':'/a//3'}",
                "{'x':1}");

        assertThat(proposal.remarks().subList(0, 4))
                .containsExactly(
                        "in 1 of 6 documents, the path field does not contain exactly one text; no rename moves these"
                                + " documents",
                        "in 1 of 6 documents, the path does not begin with \"/\", unlike most other paths; no request"
                                + " can name such a document; correct the path",
                        "in 1 of 6 documents, the path ends with \"/\"; no request can name such a document, because a"
                                + " path must not end with the separator",
                        "in 1 of 6 documents, the path is not valid, so no request can name such a document; for"
                                + " example: a path must not have an empty segment, found \"/a//3\"");
        assertThat(proposal.endsWithSeparator()).isTrue();
    }

    @Test
    void a_directory_that_ends_with_the_separator_is_the_directory_of_its_documents() {
        TreeProposal proposal = proposal(
                "{'path':'/a/','type':'folder'}", "{'path':'/a/1','type':'file'}", "{'path':'/a/2','type':'file'}");

        assertThat(proposal.namespace("n", "i", null).directories()).isEqualTo(new Directories("type", "folder"));
    }

    @Test
    void recognises_a_path_field_that_contains_the_directory() {
        TreeProposal proposal = proposal(
                "{'path':'/a/b','name':'1.txt'}",
                "{'path':'/a/b','name':'2.txt'}",
                "{'path':'/a/b','name':'3.txt'}",
                "{'path':'/a','name':'1.txt'}");

        Fields fields = new Fields("path", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());
        assertThat(proposal.namespace("n", "i", null)).isEqualTo(namespace(Notation.SLASHES, fields, null));
        assertThat(proposal.remarks().getFirst())
                .isEqualTo("the field path contains the directory of a document, and the field name contains the"
                        + " name of the document");
    }

    @Test
    void prefers_the_whole_path_to_the_directory_above_and_to_other_texts() {
        List<SampleDocument> documents = documents(
                "{'file':{'dir':'/a','path':'/a/1'},'text':'See a/b. Or c/d.','at':'2024-01-01T00:00:00.000Z'}",
                "{'file':{'dir':'/a','path':'/a/2'},'text':'Either/or.','at':'2024-01-02T00:00:00.000Z'}",
                "{'file':{'dir':'/a','path':'/a/3'},'text':'x','at':'2024-01-02T00:00:00.000Z'}");

        assertThat(guess(documents)).map(PathGuess::field).contains("file.path");
        assertThat(PathGuess.of(documents, field -> !field.startsWith("file."), null, null)
                        .map(PathGuess::field))
                .as("the path field among the other fields, of which the mapping excludes the date")
                .isNotEqualTo(Optional.of("file.path"));
    }

    @Test
    void finds_no_path_among_texts_without_separators() {
        assertThat(guess(documents("{'title':'one','n':1}", "{'title':'two','n':2}")))
                .isEmpty();
        assertThat(guess(List.of())).isEmpty();
    }

    @Test
    void follows_the_choice_of_the_caller() {
        List<SampleDocument> documents = documents("{'path':'/a/1','key':'a-1'}", "{'path':'/a/2','key':'a-2'}");

        PathGuess guess = PathGuess.of(documents, field -> true, "key", "-").orElseThrow();

        assertThat(guess.field()).isEqualTo("key");
        assertThat(guess.notation()).isEqualTo(new Notation("-", false, false));
        assertThat(guess.parents(documents, 10)).isEqualTo(Set.of("a"));
        assertThat(PathGuess.of(List.of(), field -> true, "path", null)
                        .orElseThrow()
                        .notation())
                .as("the notation for an empty index")
                .isEqualTo(Notation.SLASHES);
    }
}
