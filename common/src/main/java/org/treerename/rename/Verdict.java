package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.path.Path;

/** What becomes of a rename whose locks are held, given what stands in the tree. */
sealed interface Verdict {

    /** It may be committed, and what stands at the destination is to be removed first. */
    record Go(List<Document.Ref> removals) implements Verdict {}

    record No(Reason reason, String message) implements Verdict {}

    /** Decides; where several reasons hold, the first in {@link Reason}'s order is told. */
    static Verdict of(Rename rename, Facts facts) {
        return new Decision(rename, facts).decide();
    }

    /** One decision's questions. */
    record Decision(Rename rename, Facts facts) {

        Verdict decide() {
            if (breaksLimit()) {
                return new No(
                        Reason.INVALID_PATH,
                        "a path below " + rename.source() + " would be too long below "
                                + rename.destination() + ": at most " + Path.MAX_CODE_POINTS + " code points and "
                                + Path.MAX_SEGMENTS + " segments");
            }
            if (rename.destination().isBelow(rename.source())) {
                return new No(Reason.INTO_ITSELF, rename.destination() + " lies below " + rename.source());
            }
            if (!sourceExists()) {
                return new No(Reason.SOURCE_NOT_FOUND, "nothing stands at " + rename.source());
            }
            if (rename.changesNothing()) {
                return new Go(List.of());
            }
            Optional<Path> file = rename.destination().properAncestors().stream()
                    .filter(this::isFile)
                    .findFirst();
            if (file.isPresent()) {
                return new No(Reason.ANCESTOR_IS_A_FILE, file.get() + " is a file, so nothing can stand below it");
            }
            Path parent = rename.destination().parent();
            if (rename.namespace().directoriesAreDocuments() && !parent.isRoot() && !isDirectory(parent)) {
                return new No(Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory " + parent);
            }
            Verdict verdict = destinationExists() ? overExisting() : new Go(List.of());
            return verdict instanceof Go go ? unlessOlder(go) : verdict;
        }

        /**
         * Nothing is replaced by, and no directory loses its documents to, what will not stand at the destination itself.
         */
        private Verdict unlessOlder(Go go) {
            boolean isSourceNewer = facts.own().stream()
                    .anyMatch(document -> rename.condition(document)
                            .filter(condition -> condition.isOlderThan(document.ref()))
                            .isPresent());
            boolean isDestinationNewer = go.removals().stream()
                    .anyMatch(ref -> rename.removal(ref).condition().isOlderThan(ref));
            return isSourceNewer || isDestinationNewer
                    ? new No(
                            Reason.OLDER_VERSION,
                            "what stands at " + (isSourceNewer ? rename.source() : rename.destination())
                                    + " is newer than the request")
                    : go;
        }

        private Verdict overExisting() {
            Path destination = rename.destination();
            if (rename.onExisting() == OnExisting.FAIL || destination.isRoot()) {
                return new No(Reason.DESTINATION_EXISTS, destination + " exists");
            }
            boolean sourceIsDirectory = sourceIsDirectory();
            boolean destinationIsDirectory = destinationIsDirectory();
            if (!sourceIsDirectory && destinationIsDirectory) {
                return new No(Reason.IS_A_DIRECTORY, destination + " is a directory, " + rename.source() + " a file");
            }
            if (sourceIsDirectory && !destinationIsDirectory) {
                return new No(Reason.NOT_A_DIRECTORY, destination + " is a file, " + rename.source() + " a directory");
            }
            if (facts.destinationIsFilled()) {
                return new No(Reason.DESTINATION_NOT_EMPTY, destination + " is not empty");
            }
            return new Go(
                    facts.at(destination).stream().map(Facts.Standing::ref).toList());
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
