# shellcheck shell=bash
# The shared part of the scripts in .ci. A script sources it after it has changed to the root of the repository.

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# step NAME COMMAND…: runs a program and prints its time. A program that fails ends the script with its exit code.
step() {
  local name=$1 began=$SECONDS code=0
  shift
  echo "--- $name: $*"
  "$@" || code=$?
  if [ "$code" != 0 ]; then
    echo "${0##*/}: FAILED at the step \"$name\" after $(minutes $((SECONDS - began))), exit code $code: $*" >&2
    exit "$code"
  fi
  echo "--- $name: ok, $(minutes $((SECONDS - began)))"
}
