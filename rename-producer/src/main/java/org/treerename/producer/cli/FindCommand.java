package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;
import org.treerename.reader.Page;
import org.treerename.reader.Position;
import org.treerename.reader.Reach;
import org.treerename.reader.TreeEntry;
import org.treerename.reader.TreeView;
import org.treerename.rename.RawJson;
import org.treerename.runtime.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rename find}: prints the documents at and below a path. */
@Command(
        name = "find",
        description =
                "Prints the current paths of the documents at or below a path that match a query. A decided rename is"
                        + " shown as complete, even while its documents move.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:documents were found",
            "1:nothing was found",
            "2:wrong use",
            "3:Elasticsearch does not answer or refuses the request, or the tree changes too fast",
            "70:a defect of this program"
        })
final class FindCommand extends TreeCommand {

    @Option(
            names = "--query",
            paramLabel = "JSON",
            description =
                    "An Elasticsearch query, such as {\"term\":{\"owner\":\"clinton\"}}. Do not use path fields in"
                            + " the query. While a rename moves documents, their stored paths differ from the printed"
                            + " paths.")
    private @Nullable String query;

    @Option(names = "--count", description = "Print only the number of documents.")
    private boolean count;

    @Override
    int print(TreeView view, TreePath at) {
        RawJson condition = query == null ? null : RawJson.of(query);
        if (count) {
            long found = view.count(at, Reach.AT_OR_BELOW, condition);
            out().println(isJson() ? object().put("count", found) : found);
            return found == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
        }
        int printed = 0;
        @Nullable Position after = null;
        do {
            int pageSize = Math.min(limit() - printed, TreeView.LARGEST_PAGE);
            Page<TreeEntry> page = view.find(at, Reach.AT_OR_BELOW, condition, after, pageSize);
            page.items().forEach(this::print);
            printed += page.items().size();
            after = page.next();
        } while (after != null && printed < limit());
        if (after != null) {
            warnOfMore();
        }
        return printed == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    private void print(TreeEntry entry) {
        if (isJson()) {
            ObjectNode line = object().put("path", entry.path())
                    .put("index", entry.index())
                    .put("id", entry.id());
            if (entry.routing() != null) {
                line.put("routing", entry.routing());
            }
            line.putRawValue("source", new RawValue(entry.source().toString()));
            out().println(line);
        } else {
            out().println(Printable.of(entry.path()));
        }
    }
}
