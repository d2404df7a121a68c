/// Equality byte for byte: `==` of String takes é in one piece and in two for equal, and the Kelvin sign for K.
func isSame(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
