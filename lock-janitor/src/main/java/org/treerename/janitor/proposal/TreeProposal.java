package org.treerename.janitor.proposal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;

/** A proposed definition of a namespace, and remarks about the documents. */
public final class TreeProposal {

    private final PathGuess guess;
    private final FieldGuess fields;
    private final @Nullable Directories directories;
    private final List<String> remarks;
    private final boolean endsWithSeparator;

    private TreeProposal(
            PathGuess guess,
            FieldGuess fields,
            @Nullable Directories directories,
            List<String> remarks,
            boolean endsWithSeparator) {
        this.guess = guess;
        this.fields = fields;
        this.directories = directories;
        this.remarks = List.copyOf(remarks);
        this.endsWithSeparator = endsWithSeparator;
    }

    /**
     * Proposes a definition.
     *
     * @param sample documents that were chosen at random
     * @param above the documents at the paths {@code parents}
     * @param parents the paths of the searched directories; null if a search for directories is not possible
     */
    public static TreeProposal of(
            PathGuess guess, List<SampleDocument> sample, List<SampleDocument> above, @Nullable Set<String> parents) {
        List<SampleDocument> all = new ArrayList<>(sample);
        all.addAll(above);
        FieldGuess fields = FieldGuess.of(guess, all);
        Set<String> used = new HashSet<>(fields.with(guess, null).all());
        DirectoryGuess directories = DirectoryGuess.of(guess, all, parents, used);
        List<String> remarks = new ArrayList<>(Conventions.of(guess, sample).remarks());
        remarks.addAll(fields.remarks());
        remarks.addAll(directories.remarks());
        boolean endsWithSeparator = Conventions.of(guess, all).ending() > 0;
        return new TreeProposal(guess, fields, directories.directories(), remarks, endsWithSeparator);
    }

    /**
     * Returns the definition.
     *
     * @param keyword the sub-field that searches use; null if they use the path field itself
     */
    public Namespace namespace(String name, String index, @Nullable String keyword) {
        return new Namespace(name, index, guess.notation(), fields.with(guess, keyword), directories, Rules.DEFAULT);
    }

    /** Returns remarks about the documents, as sentences for the owner of the index. */
    public List<String> remarks() {
        return remarks;
    }

    /**
     * Returns whether the paths of some documents end with the separator. No request can name a document whose path
     * ends with the separator.
     */
    public boolean endsWithSeparator() {
        return endsWithSeparator;
    }

    /**
     * The numbers of documents in a sample that do not follow the guessed notation.
     *
     * @param documents the number of all documents in the sample
     * @param pathless the number of documents whose path field does not contain a single text
     * @param unlike the number of paths that, unlike most other paths, begin with the separator, or begin without it
     * @param ending the number of paths that end with the separator
     * @param invalid the number of paths that are not valid for another reason
     * @param problem the reason why the first of these paths is not valid
     */
    record Conventions(
            int documents, int pathless, int unlike, int ending, int invalid, String problem, PathGuess guess) {

        static Conventions of(PathGuess guess, List<SampleDocument> documents) {
            Notation notation = guess.notation();
            int pathless = 0;
            int unlike = 0;
            int ending = 0;
            int invalid = 0;
            String first = "";
            for (SampleDocument document : documents) {
                Optional<String> text = document.text(guess.field());
                Optional<String> path = guess.path(document);
                if (text.isEmpty() || path.isEmpty()) {
                    pathless++;
                    continue;
                }
                Optional<String> problem = notation.problem(path.get());
                ending += text.get().equals(PathGuess.withoutEnd(notation, text.get())) ? 0 : 1;
                if (text.get().startsWith(notation.separator()) != notation.leading()) {
                    unlike++;
                } else if (problem.isPresent()) {
                    invalid++;
                    first = first.isEmpty() ? problem.get() : first;
                }
            }
            return new Conventions(documents.size(), pathless, unlike, ending, invalid, first, guess);
        }

        List<String> remarks() {
            List<String> remarks = new ArrayList<>();
            String separator = "\"" + guess.notation().separator() + "\"";
            if (guess.holds() == Holds.DIRECTORY) {
                remarks.add("the field " + guess.field() + " contains the directory of a document, and the field "
                        + guess.name() + " contains the name of the document");
            }
            if (pathless > 0) {
                remarks.add(in(pathless)
                        + "the path field does not contain exactly one text; no rename moves these documents");
            }
            if (unlike > 0) {
                remarks.add(in(unlike)
                        + (guess.notation().leading()
                                ? "the path does not begin with " + separator
                                : "the path begins with " + separator)
                        + ", unlike most other paths; no request can name such a document; correct the path");
            }
            if (ending > 0) {
                remarks.add(in(ending) + "the path ends with " + separator
                        + "; no request can name such a document, because a path must not end with the separator");
            }
            if (invalid > 0) {
                remarks.add(in(invalid) + "the path is not valid, so no request can name such a document; for example: "
                        + problem);
            }
            return remarks;
        }

        private String in(int some) {
            return "in " + some + " of " + documents + " documents, ";
        }
    }
}
