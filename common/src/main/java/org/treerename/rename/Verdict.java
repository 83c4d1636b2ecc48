package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import org.treerename.path.Path;

/** What becomes of a rename whose locks are held, given what stands in the tree. */
sealed interface Verdict {

    /** It may be committed, and what stands at the destination is to be removed first. */
    record Go(List<Document.Ref> removals) implements Verdict {}

    record No(Reason reason, String message) implements Verdict {}

    /** Decides; where several reasons hold, the first in {@link Reason}'s order is told. */
    static Verdict of(Rename rename, Facts facts) {
        List<No> refusals = refusals(rename, facts);
        if (!refusals.isEmpty()) {
            return refusals.getFirst();
        }
        return new Go(
                rename.changesNothing()
                        ? List.of()
                        : facts.at(rename.destination()).stream()
                                .map(Facts.Standing::ref)
                                .toList());
    }

    /** Every reason against it, in {@link Reason}'s order. */
    static List<No> refusals(Rename rename, Facts facts) {
        return new Decision(rename, facts).refusals();
    }

    /** One decision's questions. */
    record Decision(Rename rename, Facts facts) {

        List<No> refusals() {
            List<No> refusals = new ArrayList<>();
            Path destination = rename.destination();
            if (breaksLimit()) {
                refusals.add(new No(
                        Reason.INVALID_PATH,
                        "a path below " + rename.source() + " would be too long below "
                                + destination + ": at most " + Path.MAX_CODE_POINTS + " code points and "
                                + Path.MAX_SEGMENTS + " segments"));
            }
            if (destination.isBelow(rename.source())) {
                refusals.add(new No(Reason.INTO_ITSELF, destination + " lies below " + rename.source()));
            }
            if (!sourceExists()) {
                refusals.add(new No(Reason.SOURCE_NOT_FOUND, "nothing stands at " + rename.source()));
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
                            new No(Reason.ANCESTOR_IS_A_FILE, file + " is a file, so nothing can stand below it")));
            Path parent = destination.parent();
            if (rename.namespace().directoriesAreDocuments() && !parent.isRoot() && !isDirectory(parent)) {
                refusals.add(new No(Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory " + parent));
            }
            if (destinationExists()) {
                overExisting(refusals);
            }
            if (isNewer()) {
                refusals.add(new No(
                        Reason.OLDER_VERSION,
                        "what stands at " + (isSourceNewer() ? rename.source() : destination)
                                + " is newer than the request"));
            }
            return refusals;
        }

        private boolean isOwn(String id) {
            return facts.own().size() == 1 && facts.own().getFirst().ref().id().equals(id);
        }

        /**
         * Nothing is replaced by, and no directory loses its documents to, what will not stand at the destination itself.
         */
        private boolean isNewer() {
            return isSourceNewer()
                    || (rename.onExisting() == OnExisting.REPLACE
                            && facts.at(rename.destination()).stream()
                                    .map(Facts.Standing::ref)
                                    .anyMatch(ref ->
                                            rename.removal(ref).condition().isOlderThan(ref)));
        }

        private boolean isSourceNewer() {
            return facts.own().stream()
                    .anyMatch(document -> rename.condition(document)
                            .filter(condition -> condition.isOlderThan(document.ref()))
                            .isPresent());
        }

        private void overExisting(List<No> refusals) {
            Path destination = rename.destination();
            if (rename.onExisting() == OnExisting.FAIL || destination.isRoot()) {
                refusals.add(new No(Reason.DESTINATION_EXISTS, destination + " exists"));
                return;
            }
            boolean sourceIsDirectory = sourceIsDirectory();
            boolean destinationIsDirectory = destinationIsDirectory();
            if (sourceExists() && !sourceIsDirectory && destinationIsDirectory) {
                refusals.add(
                        new No(Reason.IS_A_DIRECTORY, destination + " is a directory, " + rename.source() + " a file"));
            }
            if (sourceIsDirectory && !destinationIsDirectory) {
                refusals.add(new No(
                        Reason.NOT_A_DIRECTORY, destination + " is a file, " + rename.source() + " a directory"));
            }
            if (facts.destinationIsFilled()) {
                refusals.add(new No(Reason.DESTINATION_NOT_EMPTY, destination + " is not empty"));
            }
        }

        /** Whether the longest descendant's new path would be too long; it is measured, not built. */
        private boolean breaksLimit() {
            int points = codePoints(rename.destination()) - codePoints(rename.source());
            int segments = rename.destination().segments().size()
                    - rename.source().segments().size();
            return (points > 0 && facts.longest().codePoints() + points > Path.MAX_CODE_POINTS)
                    || (segments > 0 && facts.longest().segments() + segments > Path.MAX_SEGMENTS);
        }

        private static int codePoints(Path path) {
            return path.text().codePointCount(0, path.text().length());
        }

        private boolean sourceExists() {
            return facts.below() > 0 || !facts.at(rename.source()).isEmpty();
        }

        private boolean destinationExists() {
            return rename.destination().isRoot()
                    || facts.destinationIsFilled()
                    || !facts.at(rename.destination()).isEmpty();
        }

        private boolean sourceIsDirectory() {
            return isDirectoryWhere(rename.source(), facts.below() > 0);
        }

        private boolean destinationIsDirectory() {
            return isDirectoryWhere(rename.destination(), facts.destinationIsFilled());
        }

        /** A path without a document of its own is a directory if something stands below it. */
        private boolean isDirectoryWhere(Path path, boolean somethingBelow) {
            List<Facts.Standing> at = facts.at(path);
            return (rename.namespace().directoriesAreDocuments() && !at.isEmpty())
                    ? at.stream().anyMatch(Facts.Standing::directory)
                    : somethingBelow;
        }

        private boolean isDirectory(Path path) {
            return facts.at(path).stream().anyMatch(Facts.Standing::directory);
        }

        private boolean isFile(Path path) {
            List<Facts.Standing> at = facts.at(path);
            return !at.isEmpty() && !isDirectoryWhere(path, facts.filled().contains(path));
        }
    }
}
