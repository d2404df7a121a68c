import CPAM
import Platform
import SecretMemory

/// One PAM conversation: the modules' messages are shown to the person, and their questions get the password.
final class Conversation: Sendable {
  /// The most messages. More end the conversation.
  static let maximumMessages = 64
  /// The most bytes of a message. Longer ones are cut.
  static let maximumLength = 512

  private let password: SecretBox?
  private let told: PAMCheck.Told
  private let state = Locked(State())

  private struct State {
    var messages = 0
    var faults = 0
    var hadNoAnswer = false
  }

  init(password: SecretBox?, told: PAMCheck.Told) { (self.password, self.told) = (password, told) }

  /// Whether there was a question that could not be answered.
  var hadNoAnswer: Bool { state.withLock { $0.hadNoAnswer } }

  /// Whether a module has said anything.
  var hasSpoken: Bool { state.withLock { $0.messages > 0 } }
  /// How many of its messages were errors, such as "Failed to match fingerprint".
  var faults: Int { state.withLock { $0.faults } }

  /// The answer to one of PAM's messages.
  enum Answer {
    /// The message only had to be shown.
    case shown
    /// Allocated with `malloc`. PAM wipes and frees it.
    case text(UnsafeMutablePointer<CChar>)
    /// The conversation has ended.
    case none
  }

  func answer(_ message: pam_message) -> Answer {
    guard
      state.withLock({ state in
        state.messages += 1
        if message.msg_style == PAM_ERROR_MSG { state.faults += 1 }
        return state.messages <= Self.maximumMessages
      })
    else { return .none }
    switch message.msg_style {
    case PAM_TEXT_INFO, PAM_ERROR_MSG:
      told.say(text(message))
      return .shown
    case PAM_PROMPT_ECHO_OFF:
      guard let password else { break }
      // PAM reads up to the first zero byte, so a password that contains one would be cut.
      let copy = password.withBytes { $0.contains(0) ? nil : holdfast_pam_answer($0.baseAddress, $0.count) }
      if let copy { return .text(copy) }
    default: break
    }
    state.withLock { $0.hadNoAnswer = true }
    return .none
  }

  private func text(_ message: pam_message) -> String {
    guard let text = message.msg else { return "" }
    let length = strnlen(text, Self.maximumLength)
    return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
  }
}

/// PAM's callback: one answer for each message, or none at all.
func converse(
  _ count: Int32, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
  _ answers: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let messages, let answers, let context, count > 0, count <= PAM_MAX_NUM_MSG, let list = holdfast_pam_responses(count)
  else {
    return PAM_CONV_ERR
  }
  let conversation = Unmanaged<Conversation>.fromOpaque(context).takeUnretainedValue()
  for index in 0..<Int(count) {
    let answer = messages[index].map { conversation.answer($0.pointee) }
    switch answer {
    case .shown: break
    case .text(let text): list[index].resp = text
    case nil, .some(.none):
      for filled in 0..<index { free(list[filled].resp) }
      free(list)
      return PAM_CONV_ERR
    }
  }
  answers.pointee = list
  return PAM_SUCCESS
}
