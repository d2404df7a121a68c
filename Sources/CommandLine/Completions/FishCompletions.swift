extension Completions {
  static func fish(_ root: Command) -> String {
    var lines = [
      "# Completions of \(root.name) for fish. Made by '\(root.name) completions fish'.",
      "complete -c \(root.name) -f",
      "",
      "# The words typed so far, without options and their values, each on a line.",
      "function __\(root.name)_words",
      "  set -l words (commandline -opc)",
      "  set -l skip 0",
      "  for word in $words[2..]",
      "    if test $skip = 1",
      "      set skip 0",
      "    else if contains -- $word \(optionsTakingValue(root).joined(separator: " "))",
      "      set skip 1",
      "    else if not string match -q -- '-*' $word",
      "      echo $word",
      "    end",
      "  end",
      "end",
      "",
      "function __\(root.name)_path",
      "  set -l found (__\(root.name)_words)",
      "  echo \"$found\"",
      "end",
      "",
      "# Whether so many words were typed, or more with 'more'.",
      "function __\(root.name)_typed",
      "  set -l found (__\(root.name)_words)",
      "  test (count $found) -eq $argv[1]; or test \"$argv[2]\" = more -a (count $found) -gt $argv[1]",
      "end",
      "",
      "# Names are strangers' texts: fish quotes what a command prints, and expands nothing in it.",
      "function __\(root.name)_names",
      "  set -l words (commandline -opc)",
      "  set -l at",
      "  for place in (seq 2 (math (count $words) - 1))",
      "    if test \"$words[$place]\" = --home",
      "      set at --home (string replace -r '^~/' $HOME/ -- $words[(math $place + 1)])",
      "    end",
      "  end",
      "  command \(root.name) complete-names $argv[1] $at 2>/dev/null",
      "end",
      "",
    ]
    for (path, command) in nouns(root) { lines += fishNoun(root.name, path, command) }
    for (path, command) in leaves(root) { lines += fishLeaf(root.name, path, command) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The condition under which a command's own lines count: it is what was typed so far, or what that starts with.
  private static func condition(_ program: String, _ path: [String], exact: Bool) -> String {
    let words = path.joined(separator: " ")
    return exact ? "test (__\(program)_path) = \"\(words)\"" : "string match -q -- \"\(words)*\" (__\(program)_path)"
  }

  private static func fishNoun(_ program: String, _ path: [String], _ command: Command) -> [String] {
    command.verbs.map {
      "complete -c \(program) -n \(quoted(condition(program, path, exact: true))) -a \($0.name) -d \(quoted($0.summary))"
    }
  }

  private static func fishLeaf(_ program: String, _ path: [String], _ command: Command) -> [String] {
    let here = "complete -c \(program) -n " + quoted(condition(program, path, exact: false))
    let options = command.allOptions.map { option -> String in
      var line = here + " -l \(option.name) -d \(quoted(option.help))"
      if let letter = option.letter { line += " -s \(letter)" }
      guard option.takesValue else { return line }
      switch option.completion {
      case .nothing: return line + " -x"
      case .file: return line + " -rF"
      case .folder: return line + " -x -a '(__fish_complete_directories)'"
      case .names(let kind): return line + " -x -a '(__\(program)_names \(kind))'"
      case .words(let words), .examples(let words): return line + " -x -a \(quoted(words.joined(separator: " ")))"
      }
    }
    let words = command.arguments.enumerated().compactMap { index, argument -> String? in
      let typed = "; and __\(program)_typed \(path.count + index)" + (argument.repeats ? " more" : "")
      let here = "complete -c \(program) -n " + quoted(condition(program, path, exact: false) + typed)
      switch argument.completion {
      case .words(let words), .examples(let words): return here + " -a \(quoted(words.joined(separator: " ")))"
      case .names(let kind): return here + " -a '(__\(program)_names \(kind))'"
      case .file, .folder: return here + " -F"
      case .nothing: return nil
      }
    }
    return options + words
  }
}
