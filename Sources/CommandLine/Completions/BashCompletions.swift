extension Completions {
  static func bash(_ root: Command) -> String {
    var cases = ""
    for (path, command) in nouns(root) {
      let words = (command.verbs.map(\.name) + (path.isEmpty ? command.allOptions.map { "--" + $0.name } : ["--help"]))
      cases += "    \(quoted(path.joined(separator: " "))) ) words=\(quoted(words.joined(separator: " "))) ;;\n"
    }
    for (path, command) in leaves(root) {
      let words = command.allOptions.map { "--" + $0.name } + command.arguments.flatMap { choices($0.completion) }
      cases += "    \(quoted(path.joined(separator: " "))) ) words=\(quoted(words.joined(separator: " "))) ;;\n"
    }
    return """
      # Completions of \(root.name) for bash. Made by '\(root.name) completions bash'.
      _\(root.name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= words= index word
        COMPREPLY=()
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
              esac ;;
          esac
        done
        case $path in
      \(cases)\
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      }
      complete -o default -F _\(root.name) \(root.name)

      """
  }

  private static func allPaths(_ root: Command) -> [String] {
    (nouns(root).map(\.path) + leaves(root).map(\.path)).filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  private static func choices(_ completion: Completion) -> [String] {
    guard case .words(let words) = completion else { return [] }
    return words
  }

  /// What follows an option that takes a value. One name means the same in every command.
  private static func bashValues(_ root: Command) -> String {
    var seen: Set<String> = []
    var result = ""
    for option in leaves(root).flatMap(\.command.allOptions) where option.takesValue && seen.insert(option.name).inserted {
      let reply =
        switch option.completion {
        case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .folder: "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .words(let words): "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\")"
        case .nothing: ":"
        }
      result += "    --\(option.name) ) \(reply); return ;;\n"
    }
    return result
  }
}
