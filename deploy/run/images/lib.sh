# shellcheck shell=bash disable=SC2034,SC2154
# The shared part of the commands in deploy/run/images. A command sources this file after it has set `images_dir` to the folder
# deploy/run/images.

root_dir=$(cd "$images_dir/../../.." && pwd -P)
target_dir=$images_dir/target

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$@"; exit 1; }

# Prints a property of the root pom, or its version.
pom() {
  local value
  value=$(sed -n "s:^ *<$1>\([^<]*\)</$1>.*:\1:p" "$root_dir/pom.xml" | head -n 1)
  [ -n "$value" ] || die "expected the element $1 in the root pom, found none."
  echo "$value"
}

require_engine() {
  command -v docker > /dev/null || die "expected docker on the PATH, found none: install Docker."
  docker version --format '{{.Server.Version}}' > /dev/null 2>&1 || die "no Docker engine answers: start one."
}

maven() {
  command -v mvn > /dev/null || die "expected mvn on the PATH, found none: install Maven."
  (cd "$root_dir" && mvn --batch-mode --quiet --no-transfer-progress "$@" >&2) || die "Maven failed; its messages are above."
}
