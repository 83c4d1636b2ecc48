# shellcheck shell=bash disable=SC2034,SC2154
# The shared part of the commands in deploy/images. A command sources it after it has set `images_dir` to the folder deploy/images.

root_dir=$(cd "$images_dir/../.." && pwd -P)
target_dir=$images_dir/target

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$@"; exit 1; }

# A property of the root pom, or its version.
pom() {
  local value
  value=$(sed -n "s:^ *<$1>\([^<]*\)</$1>.*:\1:p" "$root_dir/pom.xml" | head -n 1)
  [ -n "$value" ] || die "the root pom says nothing of $1."
  echo "$value"
}

require_engine() {
  command -v docker > /dev/null || die "needs the docker command, and finds none."
  docker version --format '{{.Server.Version}}' > /dev/null 2>&1 || die "no Docker engine answers; start one."
}

maven() {
  command -v mvn > /dev/null || die "needs Maven, and finds no mvn on the PATH."
  (cd "$root_dir" && mvn --batch-mode --quiet --no-transfer-progress "$@" >&2) || die "Maven failed; its messages stand above."
}
