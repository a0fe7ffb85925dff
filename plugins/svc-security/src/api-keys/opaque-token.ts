/**
 * Opaque tokens, which are looked up by their hash. The form of an API key: `<prefix>_`, 30 random base62 characters (178 bits), then 6
 * base62 characters of the CRC32 of everything before them. The checksum is no secret:
 * it lets scanners recognise a leaked key, and saves a look-up for a mistyped one.
 */
import { hash, randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECK_LENGTH = 6

const DIGITS = new Set(Array.from(ALPHABET, (digit) => digit.charCodeAt(0)))
const IS_DIGIT = Uint8Array.from({ length: 128 }, (_, code) => Number(DIGITS.has(code)))

/** What each value of a byte changes in a CRC32, of the reflected polynomial of zlib. */
const CRC_OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** @param prefix 1 to 12 characters of `[a-z0-9]` */
export function newApiKey(prefix: string): string {
  return withChecksum(`${prefix}_${randomBase62(RANDOM_LENGTH)}`)
}

/** Is this meant for us? The prefix is compared exactly; what has a dot is a signed token. */
export function isApiKeyShaped(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && text[prefix.length] === '_' && !text.includes('.')
}

/** Form and checksum, before any store is asked. On each request: it takes no copy of the text. */
export function isApiKey(text: string, prefix: string): boolean {
  const body = prefix.length + 1
  const end = body + RANDOM_LENGTH
  if (text.length !== end + CHECK_LENGTH || !text.startsWith(prefix) || text[prefix.length] !== '_') return false
  for (let at = body; at < end; at += 1) {
    if (IS_DIGIT[text.charCodeAt(at)] !== 1) return false
  }
  let rest = crc32(text, end)
  for (let at = text.length - 1; at >= end; at -= 1) {
    if (text[at] !== ALPHABET[rest % 62]) return false
    rest = Math.floor(rest / 62)
  }
  return true
}

/** Of the first `end` characters, which are ASCII. Not that of zlib, which copies the text: measured at three times the cost. */
function crc32(text: string, end: number): number {
  let crc = -1
  for (let at = 0; at < end; at += 1) crc = (CRC_OF_BYTE[(crc ^ text.charCodeAt(at)) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** @param text everything before the checksum */
export function withChecksum(text: string): string {
  let rest = crc32(text, text.length)
  let check = ''
  for (let position = 0; position < CHECK_LENGTH; position += 1) {
    check = `${ALPHABET[rest % 62]}${check}`
    rest = Math.floor(rest / 62)
  }
  return text + check
}

/** Each character equally likely: bytes that would favour some are thrown away. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

/** What a token of ours is looked up by; its secret has the strength of a key, so one hash is enough. */
export function secretHash(token: string): string {
  return hash('sha256', token, 'hex')
}

/** The name of a token or of a family of them: 16 random bytes, of which nothing follows. */
export function newTokenId(): string {
  return randomBytes(16).toString('base64url')
}
