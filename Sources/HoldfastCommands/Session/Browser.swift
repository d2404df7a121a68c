import CommandLine
import Desktop
import Platform
import TerminalUI

/// Opens a link by the desktop's portal, and where there is none with `xdg-open`.
///
/// For a moment, the link is then an argument of that program, where every program on the machine can read it. A sign-in link
/// must be one that works only for the user who runs this: that user's other programs could also ask the signer for a link themselves.
/// - Parameter isSecret: whether no other user may read it. It is never an argument then.
func openInBrowser(_ link: String, isSecret: Bool = false) throws(CommandError) {
  if Browser.openByPortal(link) { return }
  guard !isSecret else {
    throw CommandError(
      .failed, "This desktop has no portal that opens links, and other users could read the answer on its way to the browser.",
      hint: "To see the answer here, do the same once more with --print.")
  }
  guard let end = OtherProgram.run(["xdg-open", link], isDetached: !mayUseTerminal) else {
    throw CommandError(.failed, "The browser could not be opened: \(systemMessage(errno)).", hint: yourself(link))
  }
  guard end == 0 else {
    throw CommandError(.failed, "The desktop's program xdg-open could not open the link.", hint: yourself(link))
  }
}

/// Whether a browser may write to our terminal. A text browser needs it. A graphical one prints messages that help nobody.
private var mayUseTerminal: Bool {
  let hasWindows = ["DISPLAY", "WAYLAND_DISPLAY"].contains { Terminal.environment($0) != nil }
  return !hasWindows && Terminal.isInput && Terminal.isOutput
}

private func yourself(_ link: String) -> String { "Open it yourself: \(printable(link, limit: 40_000))" }
