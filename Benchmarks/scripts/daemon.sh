# Starting the daemon with a vault of its own. Sourced after common.sh; sets HOME_DIR, DAEMON (its pid) and READY (its first line).
HOME_DIR=
DAEMON=
start_daemon() { # start_daemon HOME OPTION…
  HOME_DIR=$1
  shift
  local fifo=$BUILT/ready.fifo
  rm -f "$fifo"
  mkfifo "$fifo"
  local before=$EPOCHREALTIME
  "$HOLDFAST" up --home "$HOME_DIR" --passphrase-file "$BUILT/passphrase" --json "$@" >"$fifo" 2>"$BUILT/daemon.log" &
  DAEMON=$!
  exec 3<"$fifo"
  read -r -t 60 READY <&3 && [[ $READY == *'"ready":true'* ]] || { echo "the daemon did not start:" >&2; echo "$READY" >&2; cat "$BUILT/daemon.log" >&2; exit 1; }
  STARTED_IN=$(calc %.0f "($EPOCHREALTIME - $before) * 1000")
}

new_home() { # new_home NAME: a fresh vault with one identity; prints its folder
  local home=$BUILT/$1
  rm -rf "$home"
  printf 'benchmarks only' >"$BUILT/passphrase"
  "$HOLDFAST" init --home "$home" --passphrase-file "$BUILT/passphrase" >/dev/null
  "$HOLDFAST" identity create bench --home "$home" --passphrase-file "$BUILT/passphrase" >/dev/null
  echo "$home"
}

new_links() { # new_links COUNT: one bunker link a line, from the running daemon
  local i
  for ((i = 0; i < $1; i++)); do "$HOLDFAST" pair --home "$HOME_DIR" --trust full --json | member bunker; done
}
