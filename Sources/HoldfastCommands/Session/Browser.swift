import CommandLine
import Platform
import TerminalUI

/// Opens one of our own links with the desktop's `xdg-open`.
///
/// For a moment, the link is an argument of that program, where every program on the machine can read it. Give it a link that works
/// only for the user who runs this: that user's other programs could also ask the signer for a link themselves.
func openInBrowser(_ link: String) throws(CommandError) {
  var process = pid_t()
  var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(link), nil]
  defer { for argument in arguments { free(argument) } }
  let status = posix_spawnp(&process, "xdg-open", nil, nil, &arguments, environ)
  guard status == 0 else {
    throw CommandError(.failed, "The browser could not be opened: \(systemMessage(status)).", hint: "Open the link yourself.")
  }
  var outcome: Int32 = 0
  while waitpid(process, &outcome, 0) < 0 && errno == EINTR {}
  guard outcome == 0 else {
    throw CommandError(.failed, "This desktop has no browser that opens the link.", hint: "Open the link yourself.")
  }
}
