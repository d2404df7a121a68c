package import CommandLine
import Encodings
package import OwnerAPI
import Platform
import QRCodes
import SecretMemory
import TerminalUI

/// The folder for the pages of a kit. Only the owner can read it, and nothing in it is overwritten.
///
/// It stays open from its check on: what somebody puts at its path meanwhile, such as while the passphrase is typed, gets no page. One that
/// is not there yet is made with the first page, in the folder that was checked, so that a kit which is refused or cancelled leaves none.
package final class PageFolder {
  private static let ownerOnly: mode_t = 0o700
  private static let ownersFile: mode_t = 0o600
  /// As it was given.
  package let path: String
  /// -1 for a folder that is not made yet.
  private var descriptor: Int32
  /// The folder in which it is made; -1 for one that was there.
  private let parent: Int32
  /// Its name there.
  private let name: String
  /// The names of the pages that were written.
  private var written: [String] = []

  /// Opens the folder, or checks that it can be made.
  package init(_ path: String) throws(CommandError) {
    self.path = path
    let bare = String(path.reversed().drop { $0 == "/" }.reversed())
    name = bare.split(separator: "/").last.map(String.init) ?? ""
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let isNew = descriptor < 0 && errno == ENOENT && !name.isEmpty
    let above = FilePath.folder(of: bare)
    parent = isNew ? open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
    guard !isNew || parent >= 0 && access(above, W_OK | X_OK) == 0 else { throw Self.notMade(path, errno) }
    if !isNew { try checkIsPrivate() }
  }

  deinit { for open in [descriptor, parent] where open >= 0 { close(open) } }

  private func checkIsPrivate() throws(CommandError) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, access(path, W_OK | X_OK) == 0 else {
      throw CommandError(.failed, "The folder \(printable(path)) cannot be written.", hint: "Name another folder with --out.")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw CommandError(
        .failed, "Other users can read \(printable(path)), where the shares would be.",
        hint: "Name a new folder, or make this one private: chmod 700 \(shellWord)")
    }
  }

  private func make() throws(CommandError) {
    guard descriptor < 0 else { return }
    guard mkdirat(parent, name, Self.ownerOnly) == 0 else { throw Self.notMade(path, errno) }
    descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.notMade(path, errno) }
  }

  private static func notMade(_ path: String, _ code: Int32) -> CommandError {
    CommandError(ExitCode(file: code), "The folder \(printable(path)) could not be made: \(systemMessage(code)).")
  }

  /// The path as one word of a command.
  package var shellWord: String { printable(ShellWord.plainOrQuoted(path), limit: 4096) }

  /// Writes a page for each share: all of them or none.
  /// - Returns: the pages' paths.
  package func write(_ made: RecoveryCreate.Response) throws(CommandError) -> [String] {
    try make()
    let page = SharePage(kit: made.kit)
    for (index, share) in made.shares.enumerated() {
      guard let place = page.place(of: index) else { continue }
      let name = page.fileName(of: place)
      do throws(CommandError) {
        try write(page, place, share, to: name)
        written.append(name)
      } catch {
        removePages()
        throw error
      }
    }
    return written.map { path + "/" + $0 }
  }

  /// Removes the pages that were written, and the folder if it was made for them.
  package func removePages() {
    for name in written { unlinkat(descriptor, name, 0) }
    written = []
    if parent >= 0, descriptor >= 0 { unlinkat(parent, name, AT_REMOVEDIR) }
  }

  private func write(_ page: SharePage, _ place: SharePage.Place, _ share: SecretBox, to name: String) throws(CommandError) {
    guard let words = try? share.duplicate(), let code = try? words.withBytes({ try QRCode(bytes: $0) }) else {
      throw CommandError(.failed, "There is not enough memory for a page.")
    }
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, Self.ownersFile)
    guard file >= 0 else { throw fault(name, errno) }
    var failure: Int32 = 0
    page.write(place, words: words, code: code) { piece in
      var rest = piece[...]
      while failure == 0, !rest.isEmpty {
        let count = Platform.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { failure = errno } else { rest = rest.dropFirst(count) }
      }
    }
    if failure == 0, fsync(file) != 0 { failure = errno }
    close(file)
    guard failure == 0 else {
      unlinkat(descriptor, name, 0)
      throw fault(name, failure)
    }
  }

  private func fault(_ name: String, _ code: Int32) -> CommandError {
    CommandError(
      .failed, "The page \(printable(path))/\(name) could not be written: \(systemMessage(code)).",
      hint: "No kit was made. Name another folder with --out.")
  }
}
