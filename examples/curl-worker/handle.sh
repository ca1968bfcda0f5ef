#!/bin/sh
# The command that the worker runs for a task: it prints the text of the payload in capitals.
grep -o '"text":"[^"]*"' | cut -d '"' -f 4 | tr '[:lower:]' '[:upper:]' | grep .
