/// Equality byte for byte. `==` of String treats a composed and a decomposed é as equal, and the Kelvin sign and K.
func isSame(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
