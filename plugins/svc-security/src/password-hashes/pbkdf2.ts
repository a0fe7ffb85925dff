/** Hashes of PBKDF2 (RFC 8018): those of Django, passlib and Werkzeug, and of ASP.NET Core Identity, versions 2 and 3. */
import { pbkdf2 as nodePbkdf2, timingSafeEqual } from 'node:crypto'

interface Pbkdf2 {
  readonly digest: string
  readonly rounds: number
  readonly salt: Buffer
  readonly key: Buffer
}

const DJANGO = /^pbkdf2_(sha1|sha256)\$(\d{1,8})\$([^$]{1,128})\$([A-Za-z0-9+/]{26,172})={0,2}$/
const PASSLIB = /^\$pbkdf2(?:-(sha256|sha512))?\$(\d{1,8})\$([A-Za-z0-9./]{1,172})\$([A-Za-z0-9./]{26,172})$/
const WERKZEUG = /^pbkdf2:(sha1|sha256|sha512):(\d{1,8})\$([^$]{1,128})\$((?:[0-9a-f]{2}){20,64})$/
const BLOB = /^[A-Za-z0-9+/]{60,344}={0,2}$/

const MAX_ROUNDS = 5_000_000

export function readPbkdf2(text: string): ((plain: string) => Promise<boolean>) | null {
  const found = readDjango(text) ?? readPasslib(text) ?? readWerkzeug(text) ?? readIdentity(text)
  if (found === null || found.rounds < 1 || found.rounds > MAX_ROUNDS) return null
  return (plain) => isKeyOf(plain, found)
}

function readDjango(text: string): Pbkdf2 | null {
  const [, digest, rounds, salt, key] = DJANGO.exec(text) ?? []
  if (digest === undefined || salt === undefined || key === undefined) return null
  return { digest, rounds: Number(rounds), salt: Buffer.from(salt), key: Buffer.from(key, 'base64') }
}

/** Its base64 has a dot for the plus, and no padding. */
function readPasslib(text: string): Pbkdf2 | null {
  const [, digest = 'sha1', rounds, salt, key] = PASSLIB.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  const bytes = (part: string) => Buffer.from(part.replaceAll('.', '+'), 'base64')
  return { digest, rounds: Number(rounds), salt: bytes(salt), key: bytes(key) }
}

function readWerkzeug(text: string): Pbkdf2 | null {
  const [, digest, rounds, salt, key] = WERKZEUG.exec(text) ?? []
  if (digest === undefined || salt === undefined || key === undefined) return null
  return { digest, rounds: Number(rounds), salt: Buffer.from(salt), key: Buffer.from(key, 'hex') }
}

/** Version 2 is 0, a salt of 16 bytes, a key of 32; version 3 is 1, then digest, rounds and length of the salt. */
function readIdentity(text: string): Pbkdf2 | null {
  if (!BLOB.test(text)) return null
  const blob = Buffer.from(text, 'base64')
  if (blob[0] === 0 && blob.length === 49) {
    return { digest: 'sha1', rounds: 1000, salt: blob.subarray(1, 17), key: blob.subarray(17) }
  }
  const digest = ['sha1', 'sha256', 'sha512'][blob.readUInt32BE(1)]
  const keyAt = 13 + blob.readUInt32BE(9)
  if (blob[0] !== 1 || digest === undefined || keyAt < 21 || blob.length - keyAt < 16) return null
  return { digest, rounds: blob.readUInt32BE(5), salt: blob.subarray(13, keyAt), key: blob.subarray(keyAt) }
}

function isKeyOf(plain: string, { digest, rounds, salt, key }: Pbkdf2): Promise<boolean> {
  return new Promise((resolve, reject) => {
    nodePbkdf2(plain, salt, rounds, key.length, digest, (error, derived) => {
      if (error === null) resolve(timingSafeEqual(derived, key))
      else reject(error)
    })
  })
}
