#!/bin/sh
# A worker in sh and curl: claims tasks of a queue one by one, runs a command for each, reports the outcome.
#
#   TUSK_URL=http://127.0.0.1:8787 TUSK_TOKEN=tusk_… sh worker.sh thumbnails sh ./handle.sh
#
# The command reads the claim as JSON. Its output becomes the output of the task. If the command fails, its
# output becomes the error, and the task is retried after its backoff.
set -eu
queue=$1
shift

post() { # path, then more for curl
  path=$1
  shift
  curl -sS --fail-with-body -X POST "$TUSK_URL/api/v1/$path" \
    -H "Authorization: Bearer $TUSK_TOKEN" -H 'Content-Type: application/json' "$@"
}

# JSON needs the quotes, backslashes and control characters of a text escaped; this makes one line of it.
quoted() { printf '"%s"' "$(tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"; }

while :; do
  # Waits up to 30 seconds for a task. The answer is empty if there is none.
  claimed=$(post claims -H 'Prefer: wait=30' -d "{\"queue\": \"$queue\", \"lease\": \"2 minutes\"}") || {
    sleep 1
    continue
  }
  [ -n "$claimed" ] || continue
  claim=$(printf '%s' "$claimed" | sed 's/^{"claim":"\([^"]*\)".*/\1/')
  id=$(printf '%s' "$claimed" | sed 's/^[^[]*\[{"id":"\([0-9]*\)".*/\1/')

  if said=$(printf '%s' "$claimed" | "$@" 2>&1); then
    end=complete what=output
  else
    end=fail what=error
  fi
  # Refused if the lease was lost meanwhile: then another executor has the task, and this result is dropped.
  printf '{"claim": "%s", "%s": %s}' "$claim" "$what" "$(printf '%s' "$said" | quoted)" |
    post "tasks/$id/$end" -o /dev/null -d @- || :
done
