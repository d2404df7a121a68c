extension Completions {
  static func zsh(_ root: Command) -> String {
    var functions = ""
    for (path, command) in nouns(root) { functions += zshNoun(path, command) }
    for (path, command) in leaves(root) { functions += zshLeaf(path, command) }
    return """
      #compdef holdfast
      # Completions of holdfast for zsh. Made by 'holdfast completions zsh'.

      \(functions)
      if [ "$funcstack[1]" = "_holdfast" ]; then
        _holdfast "$@"
      else
        compdef _holdfast holdfast
      fi

      """
  }

  private static func function(_ path: [String]) -> String { (["_holdfast"] + path).joined(separator: "_") }

  private static func zshNoun(_ path: [String], _ command: Command) -> String {
    let verbs = command.verbs.map { quoted($0.name + ":" + $0.summary.replacing(":", with: "\\:")) }
    let cases = command.verbs.map { "      \($0.name)) \(function(path + [$0.name])) ;;" }
    let options = path.isEmpty ? command.allOptions : SharedOptions.helpOnly
    return """
      \(function(path))() {
        local line state
        local -a verbs
        verbs=(\(verbs.joined(separator: " ")))
        _arguments -C \(options.map(zshOption).joined(separator: " ")) '1: :->verb' '*:: :->rest'
        case $state in
          verb) _describe command verbs ;;
          rest)
            case $line[1] in
      \(cases.joined(separator: "\n"))
            esac ;;
        esac
      }


      """
  }

  private static func zshLeaf(_ path: [String], _ command: Command) -> String {
    let places = command.arguments.enumerated().map { index, argument in
      quoted(
        "\(argument.repeats ? "*" : "\(index + 1)"):\(argument.isRequired || argument.repeats ? "" : ":")\(zshText(argument.name)):\(zshAction(argument.completion))"
      )
    }
    return """
      \(function(path))() {
        _arguments \((command.allOptions.map(zshOption) + places).joined(separator: " "))
      }


      """
  }

  private static func zshOption(_ option: CommandOption) -> String {
    let again = option.shape == .repeated ? "*" : ""
    let value = option.takesValue ? ":\(zshText(option.placeholder.lowercased())):\(zshAction(option.completion))" : ""
    return quoted("\(again)--\(option.name)[\(zshText(option.help))]\(value)")
  }

  private static func zshAction(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .words(let words): "(" + words.joined(separator: " ") + ")"
    }
  }

  private static func zshText(_ text: String) -> String {
    text.replacing(":", with: "\\:").replacing("[", with: "(").replacing("]", with: ")")
  }
}

extension String {
  /// The text with every occurrence of one character replaced.
  fileprivate func replacing(_ character: Character, with other: String) -> String {
    reduce(into: "") { $0 += $1 == character ? other : String($1) }
  }
}
