package org.treerename.benchmark;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random renames that conflict with each other. Below a few top-level directories there are directories with files. The directories move between the
 * top-level directories and keep their names. The files are renamed within their directories. A rename of a directory excludes every other rename of
 * it and of its files. This class knows the paths from the outcomes. A request is rejected if another request has moved its source meanwhile. Any
 * thread may call it.
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
     * @param top the top-level directory to which the directory moves, or in which the file is
     */
    record Step(int directory, int file, int top, String source, String destination) {
        boolean ofDirectory() {
            return file < 0;
        }
    }

    /** Returns the path of a directory at the beginning. */
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

    /** Returns the next rename: of a directory or of a file with equal probability. */
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

    /** Stores the change of a completed rename. */
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
