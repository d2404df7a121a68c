# What the parts share. Sourced with Benchmarks/ as the current folder.
export SWIFT_BACKTRACE=enable=no
BUILT=$PWD/.build-c                     # the C programs and everything the runs write
ENGINE=$PWD/.build/release/EngineBench
LOGBENCH=$PWD/.build/release/LogBench
SHAREBENCH=$PWD/.build/release/ShareBench
THRESHOLDBENCH=$PWD/.build/release/ThresholdBench
VANITYBENCH=$PWD/.build/release/VanityBench
HOLDFAST=${HOLDFAST:-$PWD/../.build/release/holdfast}
FIGURES=$BUILT/figures
RELAY_PORT=${RELAY_PORT:-24230}
mkdir -p "$BUILT"

# figure NAME VALUE UNIT…
figure() {
  local name=$1 value=$2
  shift 2
  echo "$name: $value${*:+ $*}" >>"$FIGURES"
}

# median FILE [COLUMN]: of a column of numbers
median() { awk -v c="${2:-1}" '{ print $c }' "$1" | sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# calc FORMAT EXPRESSION
calc() { awk "BEGIN { printf \"$1\", $2 }"; }

# stop PID…: asks each to end and waits until it has
stop() {
  local pid
  for pid in "$@"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
}

# needs PROGRAM WHAT: ends the part with a remark unless the program is there
PYTHON=../.venv/bin/python
needs() { [ -x "$1" ] || { echo "skipped: $2"; exit 0; }; }
needs_python() { needs "$PYTHON" "'make deps' makes .venv"; }

# first_line FIFO: waits up to 30 seconds for a program's first line
first_line() {
  local line
  read -r -t 30 line <"$1" && echo "$line"
}

# start_relay: starts the C relay, and sets RELAY to its pid once it listens
start_relay() {
  rm -f "$BUILT/relay.fifo"
  mkfifo "$BUILT/relay.fifo"
  "$BUILT/relay" "$RELAY_PORT" >"$BUILT/relay.fifo" &
  RELAY=$!
  first_line "$BUILT/relay.fifo" >/dev/null
}

# member NAME: the value of a string member in the JSON line on standard input
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
