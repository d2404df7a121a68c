extension Completions {
  static func bash(_ root: Command) -> String {
    var cases = ""
    for (path, command) in nouns(root) {
      let words = (command.verbs.map(\.name) + (path.isEmpty ? command.allOptions.flatMap(typed) : ["--help"]))
      cases += "    \(quoted(path.joined(separator: " "))) ) words=\(quoted(words.joined(separator: " "))) ;;\n"
    }
    for (path, command) in leaves(root) {
      let words = command.allOptions.flatMap(typed)
      cases +=
        "    \(quoted(path.joined(separator: " "))) ) words=\(quoted(words.joined(separator: " ")))\(bashPlaces(command)) ;;\n"
    }
    return """
      # Completions of \(root.name) for bash. Made by '\(root.name) completions bash'.

      # Names are strangers' texts: they are quoted, and nothing in them is ever expanded.
      _\(root.name)_names() {
        local name quoted place
        local -a at=()
        for ((place = 1; place < COMP_CWORD - 1; place++)); do
          if [[ ${COMP_WORDS[place]} == --home ]]; then at=(--home "${COMP_WORDS[place + 1]/#~\\//$HOME/}"); fi
        done
        while IFS= read -r name; do
          printf -v quoted %q "$name"
          if [[ $quoted == "$current"* || $name == "$current"* ]]; then COMPREPLY+=("$quoted"); fi
        done < <(command \(root.name) complete-names "$1" "${at[@]}" 2>/dev/null)
      }

      _\(root.name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= words= kind= files= place=0 index word
        COMPREPLY=()
        # Bash offers the names of files only where one is wanted.
        compopt +o default 2>/dev/null
        case $previous in
      \(bashValues(root))\
        esac
        for ((index = 1; index < COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          case $word in
            \(optionsTakingValue(root).joined(separator: "|")) ) index=$((index + 1)) ;;
            -* ) ;;
            * )
              case ${path:+$path }$word in
                \(allPaths(root).map(quoted).joined(separator: "|")) ) path=${path:+$path }$word ;;
                * ) place=$((place + 1)) ;;
              esac ;;
          esac
        done
        case $path in
      \(cases)\
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        # Options are offered where one is begun, or where there is nothing else.
        if [[ $current != -* ]]; then
          local -a plain=()
          for word in "${COMPREPLY[@]}"; do [[ $word == -* ]] || plain+=("$word"); done
          if [[ ${#plain[@]} -gt 0 || -n $kind ]]; then COMPREPLY=("${plain[@]}"); fi
        fi
        if [[ -n $files && $current != -* ]]; then
          COMPREPLY=()
          compopt -o default 2>/dev/null
        fi
        if [[ -n $kind && $current != -* ]]; then _\(root.name)_names "$kind"; fi
      }
      complete -o default -F _\(root.name) \(root.name)

      """
  }

  private static func allPaths(_ root: Command) -> [String] {
    (nouns(root).map(\.path) + leaves(root).map(\.path)).filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// What the command's words after it can be, each in its own place.
  private static func bashPlaces(_ command: Command) -> String {
    let cases = command.arguments.enumerated().compactMap { index, argument -> String? in
      let place = argument.repeats ? "*" : "\(index)"
      switch argument.completion {
      case .words(let words), .examples(let words): return "\(place) ) words+=\(quoted(" " + words.joined(separator: " "))) ;;"
      case .names(let kind): return "\(place) ) kind=\(kind) ;;"
      case .file, .folder: return "\(place) ) files=yes ;;"
      case .nothing: return nil
      }
    }
    return cases.isEmpty ? "" : "; case $place in \(cases.joined(separator: " ")) esac"
  }

  /// What follows an option that takes a value. One name means the same in every command.
  private static func bashValues(_ root: Command) -> String {
    var seen: Set<String> = []
    var result = ""
    for option in leaves(root).flatMap(\.command.allOptions) where option.takesValue && seen.insert(option.name).inserted {
      let reply =
        switch option.completion {
        case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); compopt -o filenames 2>/dev/null"
        case .folder: "mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); compopt -o filenames 2>/dev/null"
        case .words(let words), .examples(let words):
          "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\")"
        case .names(let kind): "_\(root.name)_names \(kind)"
        case .nothing: ":"
        }
      result += "    \(typed(option).joined(separator: "|")) ) \(reply); return ;;\n"
    }
    return result
  }
}
