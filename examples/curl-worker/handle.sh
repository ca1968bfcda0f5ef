#!/bin/sh
# What the worker does with a task: here, to shout what it says.
grep -o '"text":"[^"]*"' | cut -d '"' -f 4 | tr '[:lower:]' '[:upper:]' | grep .
