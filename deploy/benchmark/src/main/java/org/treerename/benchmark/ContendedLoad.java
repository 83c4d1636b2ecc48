package org.treerename.benchmark;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random renames that are in each other's way. Below each of a few top-level directories are directories, which move among
 * the top-level directories under their own names, and files, which are renamed within them. A rename of a directory excludes
 * every other rename of it and of its files. It knows from the outcomes where everything is; a request whose source another
 * one has moved meanwhile is rejected. Any thread may call it.
 */
final class ContendedLoad {

    static final int TOPS = 8;
    static final int DIRECTORIES = 32;
    static final int FILES = 9;

    private static final String RENAMED = "-renamed";

    private final Random random;
    private final int[] tops = new int[DIRECTORIES];
    private final boolean[][] renamed = new boolean[DIRECTORIES][FILES];

    ContendedLoad(long seed) {
        random = new Random(seed);
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            tops[directory] = directory % TOPS;
        }
    }

    /**
     * One rename.
     *
     * @param file -1 for the directory itself
     * @param top to which the directory goes, or where the file is
     */
    record Step(int directory, int file, int top, String source, String destination) {
        boolean ofDirectory() {
            return file < 0;
        }
    }

    /** Where a directory is at the beginning. */
    static String directoryAtFirst(int directory) {
        return path(directory % TOPS, directory);
    }

    /** Everywhere a directory can be. */
    static List<String> places(int directory) {
        return IntStream.range(0, TOPS).mapToObj(top -> path(top, directory)).toList();
    }

    private static String path(int top, int directory) {
        return "/hot-" + top + "/moving-" + directory;
    }

    /** Chooses the next one: a directory as often as a file. */
    synchronized Step next() {
        int directory = random.nextInt(DIRECTORIES);
        int top = tops[directory];
        String at = path(top, directory);
        if (random.nextBoolean()) {
            int to = (top + 1 + random.nextInt(TOPS - 1)) % TOPS;
            return new Step(directory, -1, to, at, path(to, directory));
        }
        int file = random.nextInt(FILES);
        String plain = at + "/file-" + file;
        boolean back = renamed[directory][file];
        return new Step(directory, file, top, back ? plain + RENAMED : plain, back ? plain : plain + RENAMED);
    }

    /** Remembers what a completed one has changed. */
    synchronized void completed(Step step) {
        if (step.ofDirectory()) {
            tops[step.directory()] = step.top();
        } else {
            renamed[step.directory()][step.file()] = step.destination().endsWith(RENAMED);
        }
    }

    /** Chooses a partition. */
    synchronized int partition() {
        return random.nextInt(Stage.PARTITIONS);
    }
}
