package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.Reason;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;

/**
 * The decision about a rename whose locks are held: commit or reject. The decision depends only on the rename and on a
 * snapshot of the tree.
 */
public sealed interface CommitCheck {

    /** The rename may be committed. The documents in {@code removals} must be deleted before the moves. */
    record Go(List<Document.Ref> removals) implements CommitCheck {}

    /** The rename is rejected. */
    record No(Reason reason, String message) implements CommitCheck {}

    /**
     * Returns the decision. If several reasons apply, the decision names the first reason in the order of
     * {@link Reason}.
     */
    static CommitCheck of(Rename rename, TreeSnapshot snapshot) {
        List<No> refusals = refusals(rename, snapshot);
        if (!refusals.isEmpty()) {
            return refusals.getFirst();
        }
        return new Go(
                rename.changesNothing()
                        ? List.of()
                        : snapshot.at(rename.destination()).stream()
                                .map(TreeSnapshot.Existing::ref)
                                .toList());
    }

    /** Returns every reason against the commit, in the order of {@link Reason}. */
    static List<No> refusals(Rename rename, TreeSnapshot snapshot) {
        return new Decision(rename, snapshot).refusals();
    }

    /** Returns a refusal if one of these documents cannot be moved. A document that is too new for the request stays. */
    static Optional<No> ofDocuments(Rename rename, List<Document> documents) {
        return notMovable(rename, obstacles(rename, documents));
    }

    private static Stream<String> obstacles(Rename rename, List<Document> documents) {
        return documents.stream()
                .filter(document -> rename.condition(document)
                        .filter(condition -> condition.isOlderThan(document.ref()))
                        .isEmpty())
                .flatMap(document ->
                        rename
                                .obstacleInContents(document)
                                .map(why -> document.ref().id() + ": " + why)
                                .stream());
    }

    private static Optional<No> notMovable(Rename rename, Stream<String> obstacles) {
        List<String> first = obstacles.distinct().limit(TreeSnapshot.SHOWN).toList();
        return first.isEmpty()
                ? Optional.empty()
                : Optional.of(new No(
                        Reason.NOT_MOVABLE,
                        "documents at or below " + rename.source() + " cannot be moved: " + String.join("; ", first)
                                + "; correct these documents, or the fields in the definition of the namespace"));
    }

    /** The check of one rename against one snapshot of the tree. */
    record Decision(Rename rename, TreeSnapshot snapshot) {

        List<No> refusals() {
            List<No> refusals = new ArrayList<>();
            TreePath destination = rename.destination();
            if (breaksLimit()) {
                refusals.add(new No(
                        Reason.INVALID_PATH,
                        "the new path of a document below " + rename.source()
                                + " would be too long: a path must have at most " + TreePath.MAX_CODE_POINTS
                                + " code points and " + TreePath.MAX_SEGMENTS + " segments"));
            }
            if (destination.isBelow(rename.source())) {
                refusals.add(new No(Reason.INTO_ITSELF, destination + " lies below " + rename.source()));
            }
            if (!sourceExists()) {
                refusals.add(new No(Reason.SOURCE_NOT_FOUND, "no document is at or below " + rename.source()));
            } else if (rename.sourceId() != null && !isOwn(rename.sourceId())) {
                refusals.add(new No(
                        Reason.SOURCE_NOT_FOUND,
                        "the document " + rename.sourceId() + " is not at " + rename.source() + " any more"));
            }
            if (rename.changesNothing()) {
                return refusals;
            }
            destination.properAncestors().stream()
                    .filter(this::isFile)
                    .findFirst()
                    .ifPresent(file -> refusals.add(
                            new No(Reason.ANCESTOR_IS_A_FILE, file + " is a file, so no document can be below it")));
            TreePath parent = destination.parent();
            if (rename.namespace().directoriesAreDocuments() && !parent.isRoot() && !isDirectory(parent)) {
                refusals.add(new No(Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory " + parent));
            }
            if (destinationExists()) {
                checkExisting(refusals);
            }
            if (isNewer()) {
                refusals.add(new No(
                        Reason.OLDER_VERSION,
                        "the document at " + (isSourceNewer() ? rename.source() : destination)
                                + " has a newer version than the request"));
            }
            notMovable(rename, Stream.concat(snapshot.immovable().stream(), obstacles(rename, snapshot.own())))
                    .ifPresent(refusals::add);
            return refusals;
        }

        private boolean isOwn(String id) {
            return snapshot.own().size() == 1
                    && snapshot.own().getFirst().ref().id().equals(id);
        }

        /**
         * Returns whether the document at the source, or a document that the rename would replace, has a newer version
         * than the request. Elasticsearch would refuse the move or the deletion of this document. So the rename must be
         * rejected before any document changes.
         */
        private boolean isNewer() {
            return isSourceNewer()
                    || (rename.onExisting() == OnExisting.REPLACE
                            && snapshot.at(rename.destination()).stream()
                                    .map(TreeSnapshot.Existing::ref)
                                    .anyMatch(ref ->
                                            rename.removal(ref).condition().isOlderThan(ref)));
        }

        private boolean isSourceNewer() {
            return snapshot.own().stream()
                    .anyMatch(document -> rename.condition(document)
                            .filter(condition -> condition.isOlderThan(document.ref()))
                            .isPresent());
        }

        private void checkExisting(List<No> refusals) {
            TreePath destination = rename.destination();
            if (rename.onExisting() == OnExisting.FAIL || destination.isRoot()) {
                refusals.add(new No(Reason.DESTINATION_EXISTS, destination + " exists"));
                return;
            }
            boolean sourceIsDirectory = sourceIsDirectory();
            boolean destinationIsDirectory = destinationIsDirectory();
            if (sourceExists() && !sourceIsDirectory && destinationIsDirectory) {
                refusals.add(new No(
                        Reason.IS_A_DIRECTORY, destination + " is a directory, and " + rename.source() + " is a file"));
            }
            if (sourceIsDirectory && !destinationIsDirectory) {
                refusals.add(new No(
                        Reason.NOT_A_DIRECTORY,
                        destination + " is a file, and " + rename.source() + " is a directory"));
            }
            if (snapshot.destinationIsFilled()) {
                refusals.add(new No(Reason.DESTINATION_NOT_EMPTY, destination + " is not empty"));
            }
        }

        /**
         * Returns whether the new path of a document below the source would be too long. The method only adds lengths
         * and builds no path.
         */
        private boolean breaksLimit() {
            int points = codePoints(rename.destination()) - codePoints(rename.source());
            int segments = rename.destination().segments().size()
                    - rename.source().segments().size();
            return (points > 0 && snapshot.longest().codePoints() + points > TreePath.MAX_CODE_POINTS)
                    || (segments > 0 && snapshot.longest().segments() + segments > TreePath.MAX_SEGMENTS);
        }

        private static int codePoints(TreePath path) {
            return path.text().codePointCount(0, path.text().length());
        }

        private boolean sourceExists() {
            return snapshot.below() > 0 || !snapshot.at(rename.source()).isEmpty();
        }

        private boolean destinationExists() {
            return rename.destination().isRoot()
                    || snapshot.destinationIsFilled()
                    || !snapshot.at(rename.destination()).isEmpty();
        }

        private boolean sourceIsDirectory() {
            return isDirectoryWhere(rename.source(), snapshot.below() > 0);
        }

        private boolean destinationIsDirectory() {
            return isDirectoryWhere(rename.destination(), snapshot.destinationIsFilled());
        }

        /**
         * Returns whether a path is a directory. If directories are documents and a document is at the path, that
         * document must be a directory. Otherwise the path is a directory if a document is below the path.
         */
        private boolean isDirectoryWhere(TreePath path, boolean somethingBelow) {
            List<TreeSnapshot.Existing> at = snapshot.at(path);
            return (rename.namespace().directoriesAreDocuments() && !at.isEmpty())
                    ? at.stream().anyMatch(TreeSnapshot.Existing::directory)
                    : somethingBelow;
        }

        private boolean isDirectory(TreePath path) {
            return snapshot.at(path).stream().anyMatch(TreeSnapshot.Existing::directory);
        }

        /**
         * Returns whether a path is a file. No document can be below a file. If directories are not documents, any
         * document may have documents below it, so this method returns false. This method does not search for documents
         * below the path: the rename has not locked all paths below an ancestor of the destination.
         */
        private boolean isFile(TreePath path) {
            List<TreeSnapshot.Existing> at = snapshot.at(path);
            return rename.namespace().directoriesAreDocuments()
                    && !at.isEmpty()
                    && at.stream().noneMatch(TreeSnapshot.Existing::directory);
        }
    }
}
