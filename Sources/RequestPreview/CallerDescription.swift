import Encodings
import RemoteSigning

extension DescriptionPage {
  /// Who on this machine asks, and what that does not show.
  mutating func caller(_ caller: LocalCaller, isFirstUse: Bool) {
    switch caller {
    case .program(let program): self.program(program, isFirstUse)
    case .site(let site): self.site(site, isFirstUse)
    case .link(let link): self.link(link, isFirstUse)
    }
  }

  private mutating func program(_ program: CallingProgram, _ isFirstUse: Bool) {
    fact("Program", program.path)
    fact("SHA-256 of the file", program.digest.hex.prefix(16) + "…")
    if let sandbox = program.sandbox { fact("Confined to", sandbox) }
    if let unit = program.unit { fact("Service", unit) }
    if isFirstUse {
      fact("If you approve", "you let the program in: from then on its trust and your rules decide what it asks")
    }
    if program.isItsOwnClaim {
      warning("This program sees other files than you do. Its path and its package are what it says of itself.")
    }
    if program.isInterpreter {
      warning("This program runs any script. The signer sees the program, not the script.")
    }
  }

  private mutating func site(_ site: CallingSite, _ isFirstUse: Bool) {
    fact("Site", site.origin.text)
    fact("Browser", site.browser)
    if isFirstUse {
      fact("If you approve", "you let the site in: from then on its trust and your rules decide what it asks")
    }
    if !site.origin.isEncrypted, !site.origin.isOnThisMachine {
      warning("This site is not encrypted. Anyone on the way to it can ask in its name.")
    }
  }

  private mutating func link(_ link: CallingLink, _ isFirstUse: Bool) {
    fact("The answer goes to", link.callback)
    if isFirstUse {
      fact("If you approve", "links with answers to this place are let in: from then on their trust and your rules decide")
    }
    if link.origin == nil {
      warning("The answer goes to the app that has registered this kind of link on your machine.")
    }
  }
}
