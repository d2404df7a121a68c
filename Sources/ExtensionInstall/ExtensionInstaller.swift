import BrowserHost
import Platform

/// Installs the extension for a browser: its files, the program that the browser starts, and the manifest that names that program.
package struct ExtensionInstaller {
  /// Nil for a trial.
  private let home: String?
  private let folder: String
  private let program: String
  private let environment: (String) -> String?

  /// - Parameters:
  ///   - home: the vault's folder, an absolute path. Everything but the manifest goes into its folder `browser`.
  ///   - program: the path of `holdfast`.
  ///   - environment: reads a variable.
  package init(home: String, program: String, environment: @escaping (String) -> String?) {
    (self.home, folder, self.program, self.environment) = (home, home + "/browser", program, environment)
  }

  /// For a trial, whose folder is gone when it ends: nothing names it.
  /// - Parameter folder: takes everything but the manifest, an absolute path.
  package init(trialIn folder: String, program: String, environment: @escaping (String) -> String?) {
    (home, self.folder, self.program, self.environment) = (nil, folder, program, environment)
  }

  /// Where the browser finds the extension: a folder for Chromium, an .xpi for Firefox.
  package func place(_ browser: Browser) -> String { folder + (browser == .chromium ? "/chromium" : "/holdfast.xpi") }

  /// Writes everything.
  /// - Parameter profile: Chromium's folder of user data or Firefox's profile, an absolute path; nil for the usual ones.
  /// - Returns: the paths of the manifests.
  package func install(_ browser: Browser, profile: String?) throws(InstallFault) -> [String] {
    var written = WrittenFiles(list: list)
    let manifests = manifests(browser, profile)
    let manifest = browser.manifest(program: starter)
    // Before anything is written: whether all of it can be.
    for file in files(browser, profile) { try written.check(file.path, file.bytes) }
    for path in manifests { try written.check(path, manifest) }
    try PrivateFolder.make(folder)
    for file in files(browser, profile) { try written.write(file.path, file.bytes, mode: file.mode) }
    for path in manifests { try written.write(path, manifest, mode: 0o600) }
    return manifests
  }

  /// Removes what `install` wrote.
  /// - Returns: the paths of files that stay, because somebody changed them.
  package func uninstall(_ browser: Browser, profile: String?) throws(InstallFault) -> [String] {
    var written = WrittenFiles(list: list)
    var left: [String] = []
    let ofProfile = manifests(browser, profile) + [inProfile(browser, profile)].compactMap { $0 }
    for path in ofProfile where written.paths.contains(path) {
      if try !written.remove(path) { left.append(path) }
    }
    // Other profiles may use the rest.
    if !written.paths.contains(where: browser.isManifestPath) {
      for path in written.paths where isFile(path, of: browser) { if try !written.remove(path) { left.append(path) } }
      if browser == .chromium { for folder in [place(.chromium) + "/icons", place(.chromium)] { rmdir(folder) } }
    }
    guard !written.paths.contains(where: { $0.hasSuffix(NativeMessaging.manifestName) }) else { return left }
    for path in written.paths where try !written.remove(path) { left.append(path) }
    for folder in [place(.chromium) + "/icons", place(.chromium), folder] { rmdir(folder) }
    return left
  }

  /// Manifests of Holdfast's that name a program which is not there, in the usual places.
  package static func broken(_ environment: (String) -> String?) -> [(browser: Browser, path: String)] {
    Browser.allCases.flatMap { browser in
      browser.manifestFolders(profile: nil, environment: environment) { access($0, F_OK) == 0 }
        .map { (browser, $0 + "/" + NativeMessaging.manifestName) }
        .filter { WrittenFiles.program(namedBy: $0.1).map { access($0, X_OK) != 0 } ?? false }
    }
  }

  private var list: String { folder + "/written.json" }
  private var starter: String { folder + "/native-host" }

  private func isFile(_ path: String, of browser: Browser) -> Bool {
    path == place(browser) || path.hasPrefix(place(browser) + "/")
  }

  private func manifests(_ browser: Browser, _ profile: String?) -> [String] {
    browser.manifestFolders(profile: profile, environment: environment) { access($0, F_OK) == 0 }
      .map { $0 + "/" + NativeMessaging.manifestName }
  }

  /// Where Firefox looks for extensions when it starts with a profile.
  private func inProfile(_ browser: Browser, _ profile: String?) -> String? {
    browser == .firefox ? profile.map { "\($0)/extensions/\(HoldfastExtension.firefoxID).xpi" } : nil
  }

  private func files(_ browser: Browser, _ profile: String?) -> [(path: String, bytes: [UInt8], mode: mode_t)] {
    let starting = (path: starter, bytes: Array(script.utf8), mode: mode_t(0o700))
    guard browser == .firefox else {
      return [starting] + ExtensionFiles.all(for: browser).map { (place(.chromium) + "/" + $0.path, $0.bytes, 0o600) }
    }
    var archive = ZipArchive()
    for file in ExtensionFiles.all(for: browser) { archive.add(file.path, file.bytes) }
    let places = [place(.firefox), inProfile(browser, profile)].compactMap { $0 }
    return [starting] + places.map { ($0, archive.bytes, 0o600) }
  }

  /// What the browser starts. `exec`, so that the browser is what started `holdfast`.
  private var script: String {
    let which = home.map { "--home \(Self.quoted($0))" } ?? "--trial"
    return "#!/bin/sh\n# Written by holdfast extension install.\nexec \(Self.quoted(program)) native-host \(which) \"$@\"\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
