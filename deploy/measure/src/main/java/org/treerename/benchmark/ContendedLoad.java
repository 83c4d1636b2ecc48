package org.treerename.benchmark;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Chooses random renames that often conflict with each other:
 * <ul>
 *   <li>The tree has a few top-level directories, which contain directories with files.
 *   <li>A directory moves from one top-level directory to another, and its name does not change. A file is renamed
 *       within its directory.
 *   <li>A rename of a directory conflicts with every other rename of this directory and of its files.
 *   <li>This class updates its paths after each completed rename. If a concurrent rename moves the source of a request
 *       before this request is processed, the request is rejected.
 * </ul>
 * Any thread may call this class.
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
     * @param file the number of the file; -1 for the directory itself
     * @param top the number of the top-level directory to which the directory moves, or which contains the file
     */
    record Step(int directory, int file, int top, String source, String destination) {
        boolean ofDirectory() {
            return file < 0;
        }
    }

    /** Returns the initial path of a directory. */
    static String directoryAtFirst(int directory) {
        return path(directory % TOPS, directory);
    }

    /** Returns all possible paths of a directory. */
    static List<String> places(int directory) {
        return IntStream.range(0, TOPS).mapToObj(top -> path(top, directory)).toList();
    }

    private static String path(int top, int directory) {
        return "/hot-" + top + "/moving-" + directory;
    }

    /** Chooses a random directory or a random file, with equal probability, and returns a rename of it. */
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

    /** Updates the paths after a completed rename. */
    synchronized void completed(Step step) {
        if (step.ofDirectory()) {
            tops[step.directory()] = step.top();
        } else {
            renamed[step.directory()][step.file()] = step.destination().endsWith(RENAMED);
        }
    }

    /** Returns a random partition. */
    synchronized int partition() {
        return random.nextInt(Stage.PARTITIONS);
    }
}
