import TerminalUI

/// When a slot last opened the vault or was last tested. An unlock is as good as a test.
package func lastWorked(used: Int64?, tested: Int64?, _ now: Int64) -> String {
  let (used, tested) = (used ?? 0, tested ?? 0)
  guard max(used, tested) > 0 else { return "never used or tested" }
  // A test counts as a use, too. If it was the last one, the text says tested.
  return tested >= used ? "tested \(since(tested, now))" : "used \(since(used, now))"
}

/// When a kit was last tested.
package func lastTested(_ tested: Int64?, _ now: Int64) -> String {
  guard let tested, tested > 0 else { return "never tested" }
  return "tested \(since(tested, now))"
}

/// As `ago`, for the end of a sentence.
package func since(_ time: Int64, _ now: Int64) -> String {
  let text = ago(time, now: now)
  return text == "now" ? "just now" : text
}
