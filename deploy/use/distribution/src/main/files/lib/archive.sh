# shellcheck shell=sh
# Finds or creates the archive of classes that makes Java start much faster. Java maps the archive instead of loading and checking thousands of
# classes. An archive fits one Java and one set of libraries only, so it is not a part of the distribution. The first command creates it in
# the background. Without an archive, for example because the folder is not writable, a command starts more slowly.

# find_archive FOLDER JAVA RELEASE CLASS_PATH LIBRARIES CLASSES
# Sets `archive` to the archive in FOLDER, or to nothing if this archive does not exist yet. The name of the archive contains a checksum of
# the file RELEASE of Java, of the class path, and of the sizes and dates in the folder LIBRARIES. CLASSES lists the classes of the archive.
find_archive() {
  archive=$({ cat "$3"; echo "$2 $4"; LC_ALL=C ls -ln "$5"; } 2> /dev/null | cksum 2> /dev/null) || archive=''
  if [ -z "$archive" ]; then return 0; fi # this system has no program cksum
  archive=$1/${archive%% *}.jsa
  if [ -r "$archive" ]; then return 0; fi
  if mkdir -p "$1" 2> /dev/null; then create_archive "$1" "$2" "$4" "$6"; fi
  archive=''
}

# Only the shell that creates the file NAME.new creates the archive. A file that is older than ten minutes is the rest of a killed shell.
create_archive() {
  find "$1" -type f \( -name '*.new' -mmin +10 -o -name '*.jsa' -mtime +90 \) -exec rm -f {} + 2> /dev/null || true
  (set -C && : > "$archive.new") 2> /dev/null || return 0
  (
    trap '' HUP INT
    if command -v nice; then low=nice; else low=''; fi
    if $low "$2" -Xshare:dump -Xlog:disable "-XX:SharedClassListFile=$4" "-XX:SharedArchiveFile=$archive.new" -cp "$3"; then
      mv -f "$archive.new" "$archive"
    fi
    rm -f "$archive.new"
  ) < /dev/null > /dev/null 2>&1 &
}
