// The id of an event as apps and search pages write it: `note1…` (NIP-19), which is Bech32 (BIP-173) of its 32 bytes.

const LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const PREFIX = "note";
const CHECK = 6;

/** @param {string} hex  64 hex digits */
export function noteId(hex) {
  const data = fives((hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  return `${PREFIX}1${[...data, ...checksum(data)].map((value) => LETTERS[value]).join("")}`;
}

/** Bytes in groups of five bits; the last one is filled with zeros. @param {number[]} bytes */
function fives(bytes) {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => parseInt(five.padEnd(5, "0"), 2));
}

/** @param {number[]} data */
function checksum(data) {
  const letters = [...PREFIX].map((letter) => letter.charCodeAt(0));
  const expanded = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)];
  const sum = polymod([...expanded, ...data, ...Array(CHECK).fill(0)]) ^ 1;
  return Array.from({ length: CHECK }, (_, at) => (sum >> (5 * (CHECK - 1 - at))) & 31);
}

/** @param {number[]} values */
function polymod(values) {
  let sum = 1;
  for (const value of values) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((one, bit) => {
      if ((top >> bit) & 1) sum ^= one;
    });
  }
  return sum;
}
