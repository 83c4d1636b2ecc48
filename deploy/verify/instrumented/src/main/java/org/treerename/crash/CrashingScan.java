package org.treerename.crash;

import java.util.List;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;

/** Calls {@link CrashPoints#reach} between two pages of one scan. */
final class CrashingScan implements Scan {

    private final Scan scan;
    private final CrashPoints points;
    private final Runnable foundSomething;
    private boolean begun;

    CrashingScan(Scan scan, CrashPoints points, Runnable foundSomething) {
        this.scan = scan;
        this.points = points;
        this.foundSomething = foundSomething;
    }

    @Override
    public List<Document> nextPage() {
        if (begun) {
            points.reach(CrashPoint.BETWEEN_PAGES);
        }
        List<Document> page = scan.nextPage();
        begun = true;
        if (!page.isEmpty()) {
            foundSomething.run();
        }
        return page;
    }

    @Override
    public void close() {
        scan.close();
    }
}
