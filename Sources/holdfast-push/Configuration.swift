import CommandLine
import Encodings

/// Options from the command line, the environment and a file. What comes first in this order counts.
enum Configuration {
  static func read(_ words: [String]) throws(CommandError) -> Invocation {
    let typed = try parse(words)
    guard !["help", "version", "manual"].contains(where: typed.has) else { return typed }
    var all = words + (try ConfigurationVariables.words(except: typed))
    let known = try parse(all)
    if let path = known.value("config") { all += try ConfigurationFile(path).words(except: known) }
    return try parse(all)
  }

  private static func parse(_ words: [String]) throws(CommandError) -> Invocation {
    do throws(UsageError) { return try ArgumentParser(root: PushCommand.root).parse(words) } catch {
      throw CommandError(error, for: PushProgram.name, command: [])
    }
  }
}
