import CommandLine
import JSON
import TerminalUI

extension ResultText {
  static func vanity(_ result: JSONValue) -> String {
    let seconds = Double(result["milliseconds"]?.integer ?? 0) / 1000
    return """
      Found after \(SearchText.count(Double(result["tried"]?.integer ?? 0))) keys, in \(SearchText.exactly(seconds)).
      \(identity(result, colors: false))

      This key comes from no words, so no words bring it back. Make its backup now:
        holdfast identity export \(shown(result["name"]))       encrypted under a password, on paper or elsewhere
        holdfast recovery create --identity \(shown(result["name"]))   in shares
      """
  }
}
