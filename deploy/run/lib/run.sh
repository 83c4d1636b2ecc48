# shellcheck shell=bash disable=SC2154
# The shared part of the commands in deploy/run, deploy/verify and deploy/measure: finds a Java, builds missing parts, runs a main class.
# A command sources this file after it has set `deploy_dir` to the folder deploy.

readonly oldest_java=21
jit=-XX:TieredStopAtLevel=1 # for short commands
options=''
module=run/commands # the folder in deploy of the Maven module with the classes and libraries of the command
logging=org/treerename/local/logback-local.xml # empty: the program sets up its log itself
root_dir=$(cd "$deploy_dir/.." && pwd -P)
output_dir=$deploy_dir/output
stack_dir=${STACK_FOLDER:-$output_dir}
stack_env=$stack_dir/stack.env

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$@"; exit 1; }

# Prints the feature version of the Java in a home, 0 if there is no Java.
java_version() {
  local version=''
  [ -x "$1/bin/java" ] || { echo 0; return; }
  [ -r "$1/release" ] && version=$(sed -n 's/^JAVA_VERSION="\([0-9][0-9]*\).*/\1/p' "$1/release")
  [ -n "$version" ] || version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9][0-9]*\).*/\1/p' | head -n 1)
  echo "${version:-0}"
}

# Prints the home of a Java that is new enough: JAVA_HOME, the Java on the PATH, or the newest Java in the usual folders.
find_java() {
  local home version newest=0 found='' on_path
  on_path=$(command -v java || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for home in "${JAVA_HOME:-}" "$on_path"; do
    if [ -n "$home" ] && [ "$(java_version "$home")" -ge "$oldest_java" ]; then echo "$home"; return; fi
  done
  for home in /usr/lib/jvm/* /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    version=$(java_version "$home")
    if [ "$version" -ge "$oldest_java" ] && [ "$version" -gt "$newest" ]; then newest=$version; found=$home; fi
  done
  [ -n "$found" ] || die "expected Java $oldest_java or newer, found none: install a JDK $oldest_java, or set JAVA_HOME."
  echo "$found"
}

# Prints one value of stack.env; empty if the value or the file does not exist.
stack_value() {
  local key value
  [ -r "$stack_env" ] || return 0
  while IFS='=' read -r key value; do
    if [ "$key" = "$1" ]; then printf '%s' "$value"; return 0; fi
  done < "$stack_env"
}

# Exports the prefix of the running stack, unless the environment contains a prefix. A command calls this function after
# it has taken an address from the running stack, so that the prefix belongs to these servers.
export_prefix() {
  if [ -z "${TREE_RENAME_PREFIX+set}" ]; then
    TREE_RENAME_PREFIX=$(stack_value TREE_RENAME_PREFIX)
    export TREE_RENAME_PREFIX
  fi
}

# Succeeds if a process runs and belongs to this project. The check is needed because process ids are reused.
is_ours() {
  local command=''
  [ -z "$1" ] || command=$(tr '\0' ' ' 2> /dev/null < "/proc/$1/cmdline") || command=''
  [[ $command == *org.treerename.* || $command == *org.elasticsearch* ]]
}

stack_runs() { is_ours "$(stack_value STACK_PID)"; }

# Succeeds if this stack, the stack in deploy/output or the stack of a demo runs. All of them run from the same build.
any_stack_runs() {
  local folder stack_env
  for folder in "$stack_dir" "$output_dir" "$output_dir"/demo-*; do
    stack_env=$folder/stack.env
    if stack_runs; then return 0; fi
  done
  return 1
}

# Succeeds if the class path exists and is newer than every source that it is built from.
is_built() {
  local stamp=$module_dir/target/built
  [ -f "$stamp" ] && [ -d "$module_dir/target/lib" ] || return 1
  [ -z "$(cd "$root_dir" && find pom.xml deploy/pom.xml \
      {common,rename-producer/client,rename-producer/commands,rename-producer/gateway,rename-worker,lock-janitor,deploy/run/local-stack,deploy/verify/checker,deploy/verify/simulation,deploy/verify/protocol,"deploy/$module"}/pom.xml \
      {common,rename-producer/client,rename-producer/commands,rename-producer/gateway,rename-worker,lock-janitor,deploy/run/local-stack,deploy/verify/checker,deploy/verify/simulation,deploy/verify/protocol,"deploy/$module"}/src/main \
      -newer "$stamp" -print -quit 2>/dev/null)" ]
}

build() (
  mkdir -p "$output_dir"
  # Two commands that start at the same time do not build at the same time; the second command finds a finished
  # build.
  if command -v flock > /dev/null; then exec 9> "$output_dir/build.lock"; flock 9; fi
  if is_built; then return; fi
  command -v mvn > /dev/null || die "expected mvn on the PATH, found none: install Maven, which builds the commands."
  if [ -d "$module_dir/target/lib" ]; then
    say "the sources have changed: building with Maven ..."
  else
    say "building with Maven; the first time on a machine downloads about 1.2 GB (Elasticsearch, Kafka, libraries), which takes some minutes ..."
  fi
  cd "$root_dir" || exit
  started=$(mktemp "$output_dir/build.XXXXXX")
  if ! command -v java > /dev/null && [ -z "${JAVA_HOME:-}" ]; then export JAVA_HOME=$java_home; fi
  local quiet='-B -q'
  if [ -t 2 ]; then quiet=''; fi # on a terminal, Maven shows the progress of the download
  # shellcheck disable=SC2086
  if ! mvn $quiet -DskipTests -pl "deploy/$module" -am package 9>&- >&2; then
    rm -f "$started"
    die "the build failed; its messages are above."
  fi
  mv "$started" "$module_dir/target/built"
  say "built."
)

# Finds Java, builds missing parts, and sets the variables of start_java.
prepare() {
  java_home=$(find_java)
  module_dir=$deploy_dir/$module
  class_path="$module_dir/target/*:$module_dir/target/lib/*"
  if ! is_built; then
    if [ "$module" = run/commands ] && [ -d "$module_dir/target/lib" ] && any_stack_runs; then
      say "the sources have changed since the running stack was built; using the build of the running stack (for a new build, run deploy/run/down and then up)."
    else
      build
    fi
  fi
  # Java reads and writes file names in the locale's encoding.
  if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then export LC_ALL=C.UTF-8; fi
  terminal=false
  if [ -t 2 ]; then terminal=true; fi
}

# start_java MAIN_CLASS ARGUMENTS...: replaces this shell with that program.
start_java() {
  # shellcheck disable=SC2086
  exec "$java_home/bin/java" -XX:+UseSerialGC $jit $options -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 \
    "-Dtree-rename.deploy=$deploy_dir" "-Dtree-rename.stack=$stack_dir" "-Dtree-rename.terminal=$terminal" "${more_options[@]}" -cp "$class_path" "$@"
}

# run_java MAIN_CLASS ARGUMENTS...
run_java() {
  prepare
  more_options=("-Dlogback.configurationFile=$logging")
  start_java "$@"
}

# run_command MAIN_CLASS ARGUMENTS...: as run_java, for a program that lives for seconds and sets up its log itself.
run_command() {
  prepare
  more_options=(-Xshare:auto -Xlog:disable -XX:-UsePerfData)
  start_java "$@"
}
