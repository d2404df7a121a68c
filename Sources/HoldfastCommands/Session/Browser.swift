import CommandLine
import Platform
import TerminalUI

/// Opens a link of our own with the desktop's `xdg-open`.
///
/// The link is an argument of that program for a moment, where other programs of the same user can read it; those could ask the
/// signer for one themselves. It works once.
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
