package org.treerename.producer.cli;

import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;
import org.treerename.reader.Child;
import org.treerename.reader.Page;
import org.treerename.reader.Position;
import org.treerename.reader.TreeView;
import org.treerename.runtime.Table;
import picocli.CommandLine.Command;

/** {@code rename ls}: lists the paths directly below a path. */
@Command(
        name = "ls",
        description =
                "Lists the directories and documents that are now directly below a path, and the number of documents"
                        + " below each directory. A decided rename is shown as complete, even while its documents"
                        + " move.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:something was found",
            "1:nothing was found",
            "2:wrong use",
            "3:Elasticsearch does not answer or refuses the request, or the tree changes too fast",
            "70:a defect of this program"
        })
final class LsCommand extends TreeCommand {

    @Override
    int print(TreeView view, TreePath at) {
        Table table = new Table("KIND", "DOCUMENTS", "BELOW", "PATH");
        int printed = 0;
        @Nullable Position after = null;
        do {
            Page<Child> page = view.list(at, after, Math.min(limit() - printed, TreeView.LARGEST_PAGE));
            page.items().forEach(child -> print(child, table));
            table.printTo(out());
            printed += page.items().size();
            after = page.next();
        } while (after != null && printed < limit());
        if (after != null) {
            warnOfMore();
        }
        return printed == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    private void print(Child child, Table table) {
        if (isJson()) {
            out().println(object().put("path", child.path())
                    .put("directory", child.directory())
                    .put("documents", child.documents())
                    .put("below", child.below()));
        } else {
            table.row(child.directory() ? "directory" : "document", child.documents(), child.below(), child.path());
        }
    }
}
