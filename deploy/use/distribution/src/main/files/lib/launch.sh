# shellcheck shell=sh disable=SC2154
# The shared part of the programs in bin: finds Java, checks its version, and replaces this shell with Java. A program sources this file
# after it has set:
#   home  the folder that contains bin and lib
#   kind  "command" for a program that lives for seconds, "service" for a program that runs until a signal stops it
#   main  the main class
#
# Variables of the user: JAVA_HOME (the folder of Java), JAVA_OPTS (further options of Java, separated by blanks).

oldest=21
name=${0##*/}

# With exit code 2, nothing has been sent and nothing has changed.
fail() {
  printf '%s: %s\n' "$name" "$*" >&2
  exit 2
}

advice="install Java $oldest or newer (for example Eclipse Temurin), and set JAVA_HOME to its folder"

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || fail "expected a Java in JAVA_HOME, found no program $java: $advice."
else
  java=$(command -v java) || fail "expected Java $oldest or newer, found no java on the PATH: $advice."
fi

# The file "release" of Java contains its version. This script reads the file, because a start of Java takes longer than a whole command.
program=$java
while [ -L "$program" ]; do
  target=$(readlink "$program")
  case $target in
    /*) program=$target ;;
    *) program=${program%/*}/$target ;;
  esac
done
release=${program%/bin/java}/release
version=''
if [ -r "$release" ]; then
  while IFS='=' read -r key value; do
    if [ "$key" = JAVA_VERSION ]; then version=$value; fi
  done < "$release"
  version=${version#\"}
  version=${version%%\"*}
fi
if [ -z "$version" ]; then
  version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
fi
major=${version%%[!0-9]*}
[ -n "$major" ] || fail "expected Java $oldest or newer, found $java, which reports no version: $advice."
[ "$major" -ge "$oldest" ] || fail "expected Java $oldest or newer, found Java $version ($java): $advice."

class_path=$home/lib/tree-rename.jar

# Java reads and writes file names in the locale's encoding.
if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then
  LC_ALL=C.UTF-8
  export LC_ALL
fi

case ${1:-} in '' | -* | *[!a-z-]*) classes=$name ;; *) classes=$name-$1 ;; esac
set -- -cp "$class_path" "$main" "$@"
set -f # JAVA_OPTS is split at blanks, and contains no patterns
if [ "$kind" = command ]; then
  terminal=false
  if [ -t 2 ]; then terminal=true; fi
  set -- ${JAVA_OPTS:-} "$@"
  # Java starts faster if it maps its classes from a file that an earlier run has written. Java writes this file when the command ends, and
  # again if it was written by another Java or with other libraries. Each command loads other classes, so each has its own file.
  case ${XDG_CACHE_HOME:-} in /*) cache=$XDG_CACHE_HOME ;; *) cache=${HOME:-/nonexistent}/.cache ;; esac
  if mkdir -p "$cache/tree-rename/start" 2> /dev/null; then
    file=$cache/tree-rename/start/$classes.jsa
    if [ -e "$file" ]; then
      # A command that was killed while it wrote the file leaves a file without a header, which Java would never replace.
      case $(od -An -N4 -tx4 "$file" 2> /dev/null) in *f00baba8) ;; *) rm -f "$file" ;; esac
    fi
    set -- -XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=$file" "$@"
  fi
  # Without -Xlog:disable, Java prints to standard output why it does not use the file.
  exec "$java" -Xshare:auto -Xlog:disable -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData \
    -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 "-Dtree-rename.terminal=$terminal" "$@"
fi
exec "$java" -XX:+ExitOnOutOfMemoryError -Dlogback.configurationFile=org/treerename/service/logback.xml ${JAVA_OPTS:-} "$@"
