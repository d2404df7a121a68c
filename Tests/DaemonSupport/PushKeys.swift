/// The keys of a browser's push subscription (RFC 8291, section 5), as it sends them.
package enum PushKeys {
  package static let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  package static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
}
