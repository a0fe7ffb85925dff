/**
 * Opaque tokens, which are looked up by their hash. The form of an API key: `<prefix>_`, 30 random base62 characters (178 bits), then 6
 * base62 characters of the CRC32 of everything before them. The checksum is no secret:
 * it lets scanners recognise a leaked key, and saves a look-up for a mistyped one.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECK_LENGTH = 6

/** @param prefix 1 to 12 characters of `[a-z0-9]` */
export function newApiKey(prefix: string): string {
  return withChecksum(`${prefix}_${randomBase62(RANDOM_LENGTH)}`)
}

/** Is this meant for us? The prefix is compared exactly; what has a dot is a signed token. */
export function isApiKeyShaped(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && text[prefix.length] === '_' && !text.includes('.')
}

/** Length and checksum, before any store is asked. What else is no key has no record. */
export function isApiKey(text: string, prefix: string): boolean {
  if (text.length !== prefix.length + 1 + RANDOM_LENGTH + CHECK_LENGTH || !isApiKeyShaped(text, prefix)) return false
  let rest = crc32(text.slice(0, -CHECK_LENGTH))
  for (let last = 1; last <= CHECK_LENGTH; last += 1) {
    if (text[text.length - last] !== ALPHABET[rest % 62]) return false
    rest = Math.floor(rest / 62)
  }
  return true
}

/** @param text everything before the checksum */
export function withChecksum(text: string): string {
  let rest = crc32(text)
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
