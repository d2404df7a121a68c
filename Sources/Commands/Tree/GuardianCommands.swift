extension Command {
  /// `holdfast guardian …`
  static let guardianVerbs: [Command] = []
}
