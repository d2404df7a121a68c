import BrowserHost
import CommandLine
import Encodings
import ExtensionInstall
import OwnerAPI
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast extension install`
enum ExtensionInstallCommand: ProgramCommand {
  static let place = Command(
    "install", "Install the browser extension, by which sites ask this vault's signer",
    discussion: """
      Writes the extension's files into the folder 'browser' of the vault's folder, and a file that tells the browser which \
      program answers the extension. Then it says the last step, which only you can do in the browser. It replaces no file that \
      somebody else wrote.

      In a trial, the files go into a folder of yours that stays. Sites ask the trial while it runs, and afterwards your usual vault.
      """,
    options: [ExtensionArguments.browser, ExtensionArguments.profile],
    shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [Example("holdfast extension install --browser chromium", "install it for Chromium, Chrome and Brave")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try checkHasVault(line)
    let (browser, installer, profile) = try ExtensionArguments.read(line)
    var installed = ExtensionInstalled()
    (installed.browser, installed.place) = (browser.rawValue, installer.place(browser))
    installed.extensionID = browser.extensionID
    do { installed.manifests = try installer.install(browser, profile: profile) } catch { throw CommandError(error) }
    let trial =
      ExtensionArguments.isTrial(line)
      ? "\nSites ask this trial while it runs, and afterwards the vault at \(shown(TrialsVault.usual, limit: 4096))." : ""
    guard line.has("json") else {
      return Output.line(text(installed, browser) + trial + ThisProgram.mayMove(try thisProgram())) ? .done : .failed
    }
    return Output.line(installed.json) ? .done : .failed
  }

  static func text(_ installed: ExtensionInstalled, _ browser: Browser) -> String {
    let place = shown(installed.place, limit: 4096)
    switch browser {
    case .chromium:
      return """
        The extension is in \(place)

        The last step is yours, because Chromium takes extensions only from you:
          1. Open chrome://extensions and switch on “Developer mode”.
          2. Press “Load unpacked” and choose that folder. Ctrl+L lets you paste its path.
          3. Pin Holdfast: it is behind the puzzle piece.
        Or, to try it in a Chromium that is not running yet, until it is closed:
          chromium --load-extension=\(shown(ShellWord.plainOrQuoted(installed.place), limit: 4096))
        Then open a site that signs in with Nostr. Your first answer lets the site in: holdfast request list
        """
    case .firefox:
      return """
        The extension is in \(place)

        The last step is yours, because Firefox takes extensions only from you. In Firefox ESR or Developer Edition:
          1. Open about:config and set xpinstall.signatures.required to false: Mozilla has not signed this file.
          2. Press Ctrl+O and open the file above.
        A profile that you named with --profile finds it at its next start and asks you to switch it on.
        In any Firefox, until it is closed: open about:debugging#/runtime/this-firefox, press “Load Temporary Add-on…” and
        choose the file. Then open a site that signs in with Nostr. Your first answer lets the site in: holdfast request list
        """
    }
  }
}

/// `holdfast extension uninstall`
enum ExtensionUninstallCommand: ProgramCommand {
  static let place = Command(
    "uninstall", "Remove the files that 'extension install' wrote",
    discussion: "Remove the extension in the browser, too. What sites may do stays, until: holdfast local revoke",
    options: [ExtensionArguments.browser, ExtensionArguments.profile],
    shared: [SharedOptions.home, SharedOptions.json, .help])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let (browser, installer, profile) = try ExtensionArguments.read(line)
    var removed = ExtensionRemoved()
    removed.browser = browser.rawValue
    // What a trial installed serves the usual vault, too.
    let ofTrials = ExtensionInstaller(
      trialIn: TrialsVault.browserFolder, program: try thisProgram(), environment: Terminal.environment)
    do {
      let left = try installer.uninstall(browser, profile: profile) + ofTrials.uninstall(browser, profile: profile)
      removed.left = Set(left.filter { access($0, F_OK) == 0 }).sorted()
    } catch { throw CommandError(error) }
    guard line.has("json") else { return Output.line(text(removed)) ? .done : .failed }
    return Output.line(removed.json) ? .done : .failed
  }

  private static func text(_ removed: ExtensionRemoved) -> String {
    guard !removed.left.isEmpty else { return "Sites cannot ask through this browser any more. Remove the extension in it, too." }
    return "Left, because somebody changed them: \(removed.left.map { shown($0, limit: 4096) }.joined(separator: ", "))"
  }
}

enum ExtensionArguments {
  static let browser = CommandOption.value(
    "browser", "NAME", "The browser: chromium (also for Chrome, Brave, Edge and Vivaldi) or firefox",
    completion: .words(Browser.allCases.map(\.rawValue) + isChromium))
  static let profile = CommandOption.value(
    "profile", "DIR",
    "Chromium's folder of user data, if it is not the usual one; for Firefox, a profile that gets the extension",
    completion: .folder)

  /// Browsers that take Chromium's extensions.
  private static let isChromium = ["chrome", "brave", "edge", "vivaldi"]

  static func isTrial(_ line: Invocation) -> Bool { TemporaryHome.isOne(home(line)) }

  static func read(_ line: Invocation) throws(CommandError) -> (Browser, ExtensionInstaller, profile: String?) {
    guard let browser = line.value("browser").flatMap({ Browser(rawValue: isChromium.contains($0) ? "chromium" : $0) }) else {
      throw CommandError(
        .usage, "Name the browser: --browser chromium or --browser firefox.",
        hint: "For example: holdfast \(line.name) --browser chromium")
    }
    let profile = line.value("profile").map(absolute)
    let program = try thisProgram()
    let installer =
      isTrial(line)
      ? ExtensionInstaller(trialIn: TrialsVault.browserFolder, program: program, environment: Terminal.environment)
      : ExtensionInstaller(home: absolute(home(line).path), program: program, environment: Terminal.environment)
    return (browser, installer, profile)
  }
}

extension CommandError {
  fileprivate init(_ fault: InstallFault) {
    switch fault {
    case .notOurs(let path):
      self.init(
        .failed, "Another program wrote or changed “\(shown(path, limit: 4096))”. Nothing was replaced.",
        hint: "Move that file away, then run the command once more.")
    case .othersFolder(let path):
      self.init(
        .failed, "The folder “\(shown(path, limit: 4096))” belongs to another user.", hint: "Run the command as that user.")
    case .system(let path, let code):
      self.init(.failed, "“\(shown(path, limit: 4096))” could not be written: \(systemMessage(code)).")
    }
  }
}

extension Noun {
  static let browserExtension = Noun(
    "extension", "The browser extension, by which sites ask for signatures",
    commands: [ExtensionInstallCommand.self, ExtensionUninstallCommand.self])
}
