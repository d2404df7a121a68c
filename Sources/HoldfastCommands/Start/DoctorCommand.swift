import CommandLine
import CredentialOptions
import Daemon
import Doctor
import ExtensionInstall
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import TerminalUI

/// `holdfast doctor`: prints every finding as it is made. The exit code is 1 if something is bad.
func callDoctor(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  try usage(invocation) { () throws(UsageError) in try RelayOption.check(invocation) }
  let home = home(invocation)
  let doctor = Doctor(home: home, relays: invocation.values("relay"), checkpoint: invocation.value("checkpoint"))
  let credential = try doctorsCredential(doctor, home, invocation)
  let isJSON = invocation.has("json")
  let named = suggested(invocation)
  var all: [Finding] = []
  let begin = Clock.monotonicMilliseconds
  var bar = ProgressBar("Looking", total: 100, now: begin)
  doctor.examine(credential: credential) { findings, done, total in
    all += findings
    bar.finish()
    if !isJSON { for finding in findings { say(finding, named) } }
    if done < total { bar.update(done: done * 100 / total, now: Clock.monotonicMilliseconds) }
  }
  bar.finish()
  for finding in extensionFindings() {
    all.append(finding)
    if !isJSON { say(finding, named) }
  }
  let bad = all.count { $0.verdict == .bad }
  if isJSON {
    var report = DoctorReport()
    (report.isSound, report.findings) = (bad == 0, all.map { DoctorFinding($0) })
    Output.line(report.json)
  } else {
    Output.line("\n" + sum(bad, all.count { $0.verdict == .warning }))
  }
  return bad == 0 ? .done : .failed
}

/// Browsers that start a program which is gone, so that their sites get no answer.
private func extensionFindings() -> [Finding] {
  ExtensionInstaller.broken(Terminal.environment).map { browser, path in
    Finding(
      "extension", .warning,
      "A browser's file names a program that is not there, so sites cannot ask: \(printable(path, limit: 400))",
      advice: "Write it anew: holdfast extension install --browser \(browser.rawValue)")
  }
}

/// Reads a credential only if it is needed, and if a person or a file can give it.
private func doctorsCredential(_ doctor: Doctor, _ home: Home, _ invocation: Invocation) throws(CommandError) -> ShownCredential?
{
  guard Opening.hasVault(home), !doctor.isSignerRunning else { return nil }
  let isGiven = CredentialSource.isNamed(in: invocation)
  guard isGiven || Terminal.isInput else { return nil }
  return try shownCredential(invocation)
}

extension DoctorFinding {
  fileprivate init(_ finding: Finding) {
    self.init()
    (check, found, advice) = (finding.check, finding.found, finding.advice)
    verdict =
      switch finding.verdict {
      case .good: .good
      case .warning: .warning
      case .bad: .bad
      }
  }
}

private func say(_ finding: Finding, _ named: SuggestedCommands) {
  let text = text(finding, named)
  Output.plain(Terminal.hasColors ? painted(text) : unstyled(text))
}

private func text(_ finding: Finding, _ named: SuggestedCommands) -> String {
  let mark =
    switch finding.verdict {
    case .good: styled("✓", .good)
    case .warning: styled("!", .careful)
    case .bad: styled("✗", .bad)
    }
  // What continues a finding stands below its first letter and not below its mark.
  let lines = wrapped(printable(finding.found, limit: 600), width: Terminal.isOutput ? max(20, Terminal.columns() - 2) : .max)
  let found = "\(mark) \(lines.joined(separator: "\n  "))"
  guard let advice = finding.advice.map({ "    " + named.text(printable($0, limit: 600)) }) else { return found }
  return found + "\n" + (Terminal.isOutput ? broken(advice, width: Terminal.columns()) : advice)
}

private func sum(_ bad: Int, _ warnings: Int) -> String {
  switch (bad, warnings) {
  case (0, 0): "All is well."
  case (0, _): "Nothing is broken; \(warnings) warning\(warnings == 1 ? "" : "s") (!)."
  default:
    "\(bad) problem\(bad == 1 ? "" : "s") to fix (✗)\(warnings == 0 ? "" : ", \(warnings) warning\(warnings == 1 ? "" : "s") (!)")."
  }
}
