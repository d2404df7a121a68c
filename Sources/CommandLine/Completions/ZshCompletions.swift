import Encodings

extension Completions {
  static func zsh(_ root: Command) -> String {
    var functions = ""
    for (path, command) in nouns(root) { functions += zshNoun(root.name, path, command) }
    for (path, command) in leaves(root) { functions += zshLeaf(root.name, path, command) }
    return """
      #compdef \(root.name)
      # Completions of \(root.name) for zsh. Made by '\(root.name) completions zsh'.

      # Names are strangers' texts: compadd quotes them, and nothing in them is ever expanded.
      _\(root.name)_names() {
        local -a names at
        local place=${words[(I)--home]}
        (( place > 0 )) && at=(--home "${words[place + 1]/#\\~\\//$HOME/}")
        names=("${(@f)$(command \(root.name) complete-names $1 $at 2>/dev/null)}")
        compadd -- ${names:#}
      }

      \(functions)
      if [ "$funcstack[1]" = "_\(root.name)" ]; then
        _\(root.name) "$@"
      else
        compdef _\(root.name) \(root.name)
      fi

      """
  }

  private static func function(_ program: String, _ path: [String]) -> String { (["_" + program] + path).joined(separator: "_") }

  private static func zshNoun(_ program: String, _ path: [String], _ command: Command) -> String {
    let verbs = command.verbs.map { quoted($0.name + ":" + $0.summary.replacing(text: ":", by: "\\:")) }
    let cases = command.verbs.map { "      \($0.name)) \(function(program, path + [$0.name])) ;;" }
    let options = path.isEmpty ? command.allOptions : [.help]
    return """
      \(function(program, path))() {
        local line state
        local -a verbs
        verbs=(\(verbs.joined(separator: " ")))
        _arguments -C \(options.map { zshOption(program, $0) }.joined(separator: " ")) '1: :->verb' '*:: :->rest'
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

  private static func zshLeaf(_ program: String, _ path: [String], _ command: Command) -> String {
    let places = command.arguments.enumerated().map { index, argument in
      quoted(
        "\(argument.repeats ? "*" : "\(index + 1)"):\(argument.isRequired || argument.repeats ? "" : ":")\(zshText(argument.name)):\(zshAction(program, argument.completion))"
      )
    }
    return """
      \(function(program, path))() {
        _arguments \((command.allOptions.map { zshOption(program, $0) } + places).joined(separator: " "))
      }


      """
  }

  private static func zshOption(_ program: String, _ option: CommandOption) -> String {
    let again = option.shape == .repeated ? "*" : ""
    let value = option.takesValue ? ":\(zshText(option.placeholder.lowercased())):\(zshAction(program, option.completion))" : ""
    let text = "[\(zshText(option.help))]\(value)"
    guard let letter = option.letter else { return quoted("\(again)--\(option.name)\(text)") }
    // Either form excludes the other.
    return quoted("(-\(letter) --\(option.name))") + "{-\(letter)\(option.takesValue ? "+" : ""),--\(option.name)}" + quoted(text)
  }

  private static func zshAction(_ program: String, _ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    // With the space in front, nothing is added to the words.
    case .names(let kind): " _\(program)_names \(kind)"
    case .file: "_files"
    case .folder: "_files -/"
    case .words(let words), .examples(let words): "(" + words.joined(separator: " ") + ")"
    }
  }

  private static func zshText(_ text: String) -> String {
    text.replacing(text: ":", by: "\\:").replacing(text: "[", by: "(").replacing(text: "]", by: ")")
  }
}
