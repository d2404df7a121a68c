import Encodings
import Foundation
import TestSupport

@testable import Vault

/// A vault file as version 1 of the format wrote it, made by the program before there were slots: passphrase "an old passphrase"
/// at the lowest cost; setting 1 is 2 3, link 7 is 8 9, pairing key 1 is 5 5, identity key 2 is 6 6.
enum VersionOneVault {
  static let length = 16384

  /// Where each run of bytes begins, and the run in base64; all else is zero.
  private static let runs: [(Int, String)] = [
    (0, "U1FMaXRlIGZvcm1hdCAzABAAAgIAQCAgAAAAAgAAAAQAAAAAAAAAAAAAAAMAAAAEAAAAAAAAAAAAAAABAAAAAQAAAABIRkRW"),
    (95, "AgAuYwENAAAAAw3pAA9qDtQN6Q=="),
    (
      3561,
      "gWgDBxcbGwGDJ3RhYmxlcmVjb3Jkc3JlY29yZHMEQ1JFQVRFIFRBQkxFIHJlY29yZHMgKAogIGtpbmQgSU5URUdFUiBOT1QgTlVM"
        + "TCwgbmFtZSBCTE9CIE5PVCBOVUxMLCBjbGFzcyBJTlRFR0VSIE5PVCBOVUxMLCB2ZXJzaW9uIElOVEVHRVIgTk9UIE5VTEwsCiAg"
        + "d3JhcHBlZCBCTE9CIE5PVCBOVUxMLCBzZWFsZWQgQkxPQiBOT1QgTlVMTCwgUFJJTUFSWSBLRVkgKGtpbmQsIG5hbWUpCikgV0lU"
        + "SE9VVCBST1dJRIETAgcXHR0BgXl0YWJsZWF0dGVtcHRzYXR0ZW1wdHMDQ1JFQVRFIFRBQkxFIGF0dGVtcHRzIChvbmUgSU5URUdF"
        + "UiBQUklNQVJZIEtFWSBDSEVDSyAob25lID0gMSksIGZhaWx1cmVzIElOVEVHRVIgTk9UIE5VTEwsIGZhaWxlZF9hdCBJTlRFR0VS"
        + "IE5PVCBOVUxMKYETAQcXGRkBggF0YWJsZWhlYWRlcmhlYWRlcgJDUkVBVEUgVEFCTEUgaGVhZGVyIChvbmUgSU5URUdFUiBQUklN"
        + "QVJZIEtFWSBDSEVDSyAob25lID0gMSksIGJvZHkgQkxPQiBOT1QgTlVMTCwgZGlnZXN0IEJMT0IgTk9UIE5VTEwsIG1hYyBCTE9C"
        + "IE5PVCBOVUxMKQ0AAAABDrQADrQ="
    ),
    (
      7860,
      "gkkBBgCEEkxMSEZWQVVMVAAAAAABd6uHrYgzzxHQKoMZwh4rQQAAAAAAAAABAQAAAAEBAAAAAAAAAAEAHAAAAAABMAAAAAAAAuTQ"
        + "jDIwSA1vUtvOz7i6noF9JqspAuuNGAA01NPKGzP2JofbsGkfjxvtR0CYyIIvOAIBL0Ao+B2eJG01LDgCFCUvITIr0SRVk+2nltCW"
        + "cmh5C6o+kyVEryKW2vszsDfGjAOTqqsc3tpuPG+KPt70DGpb31wgVX5Nf4COAmO4GZj6V7wFdfk0subDrpyzHgfCNqONqFW78ICv"
        + "NHz+MZtxmxgvkO7aYlUJUZryIB3qZZ+Nl+oFd6Nbf5vtoe3+FDv/XKTtkG1P9nR3jmAcm2qIpOzOFAqn5NBiSkW96EEofHzXSFR6"
        + "34gcHYoOMet/QWYW1x7id1qOnPwjtk6pLpe2Zsh+vesNAAAAAQ/6AA/6"
    ),
    (12282, "BAEEAAgICg9cAAULrQALrQzbDXwOHA68"),
    (
      15277,
      "giwJCEwJAYEcgwCxb/4bAemykroatFnj7Uy2pN0xVVy26uVwxIppca/J1QJ2hDSqIGYLhNCLbwowgWWSMQQjW8q764V6w+U0CalE"
        + "ZDx1xq8r5ovF12qTRuiU57Kp95oQew16rUTtdg8+LAKA2QATyYm585On8EnIGL+xrt2b8PFs1qlrYHSijHteKJI7IbDSx5O3b07z"
        + "GAqHdKlWchynDFQM8DfOmHTqhQs0WO6esJOl0BqerBnj7IFU8gnAQDGvoejTFz9DDvFltwkPLtKWvynlhntgbPaGIYtlkt9R+pSY"
        + "AfFODWyDHUjQeJ7JHbS++dICSP9ErG8rsvzc2xzzo73s/MhzOj1EgG7+OhaCYqnAeDj5xyubDCR+r/Dbkf60HZA7rRrd6CrWHBYN"
        + "ZdaBHwgBTAEJgRxmAowDYRjX2VbTnngF4880eSH2xlcY2AXNJauuagrzAvBlAn7xFxYZvTEreg8RFvR2mGECzczfhrRFoRKvBVYX"
        + "T7ByV2vZFRlsg3igrEhaaI6yOOgQTy5hF1+K9S7j9JztB8LUhW2D29yYE6r0p9Rp8MIWDOiBIaGrisUhGJyPpiRlDw1doPu6mgrH"
        + "/NextLAUuhC7T8pJyoEeCAFMCQmBHGYFect+WYNBQ5aJzi+M8wCJfkkGcEoP0UTe1NmhdymoU0lJvbAzZjCpM13g6lJagdqVG8SU"
        + "fslPATijnr/HllacbzWV6kNPuP7gMaTA/5sVcoV4BMwrMsKkajIiPx4C/AQJAymtyNw6Xrd9CxaFtNc5iEGdyvZL70uX29YciVJO"
        + "3yNOLMBNLjFNQScD25I5j8g5/MEbgQiBHggBTAkJgRxmBvdCt/s7lNHPDxqo5QqpYqb0fqWtkr++HNW0jXcPB7VSs6OP64NxDvEI"
        + "mUljM7YU9xXx6dlRYYsUdMX6XJPydjGReUcumIGwYrp5H18tYU/jorgLuLGfY6x2wgHVQgL2+fbdJQPCLpSzLnmL+toq/FsdV6kc"
        + "U/d72vVWpSd/UKFSfJLDH0cKFv4k2NBEd9xQp1b+gDDtgR4IAUwJCYEcZgkHKh+4oYegv4CJCfGJTadiYKJ9bT5CP1seJcPvbECD"
        + "FqxO9kwuyJJAJGVz0Xav8Nhhu0IrRfvYquyDxYzzZ8nCjD1m43TPqEPRqqxkkmyAH4sB5LKex8mv6zs9sq+eAvG3UKV+PwTV1BJG"
        + "41vhMvVZsuQsvU3y3w2EuZGylDqhGfMGxtBqnkQfVkJAabNx0YI7WiTz+QAAAKQ="
    ),
  ]

  static var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    for (start, text) in runs {
      let run = Base64.decode(text) ?? []
      bytes.replaceSubrange(start..<start + run.count, with: run)
    }
    return bytes
  }

  /// A home with this vault in it.
  static func home() throws -> TemporaryHome {
    let home = TemporaryHome()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try home.write(bytes)
    return home
  }
}
