/**
 * Hashes of scrypt (RFC 7914): PHC strings, those of Django and Werkzeug, and `salt:key` in hexadecimal, as programs for Node
 * write it. The last says nothing of how it was made, so the usual ways are tried: Node's default cost with the salt as text
 * and as bytes, and the cost of better-auth and Lucia.
 */
import { scrypt as nodeScrypt, timingSafeEqual } from 'node:crypto'

interface Scrypt {
  /** Power of two. */
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly key: Buffer
}

const PHC =
  /^\$scrypt\$(?:ln=(\d{1,2})|n=(\d{1,8})),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{8,172})={0,2}\$([A-Za-z0-9+/]{22,172})={0,2}$/
const DJANGO = /^scrypt\$(\d{1,8})\$([^$]{1,128})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9+/]{22,172})={0,2}$/
const WERKZEUG = /^scrypt:(\d{1,8}):(\d{1,2}):(\d{1,2})\$([^$]{1,128})\$((?:[0-9a-f]{2}){16,128})$/
const BARE = /^((?:[0-9a-f]{2}){8,64})[:.]([0-9a-f]{128})$/

/** Bytes of memory, and bytes mixed over all lanes. */
const [MAX_MEMORY, MAX_WORK] = [256 * 1024 * 1024, 1024 * 1024 * 1024]

export function readScrypt(text: string): ((plain: string) => Promise<boolean>) | null {
  const bare = BARE.exec(text)
  if (bare !== null) return readBare(bare[1] as string, Buffer.from(bare[2] as string, 'hex'))
  const found = readPhc(text) ?? readDjango(text) ?? readWerkzeug(text)
  return found !== null && isBounded(found) ? (plain) => isKeyOf(plain, found) : null
}

function readPhc(text: string): Scrypt | null {
  const [, ln, n, r, p, salt, key] = PHC.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  return {
    N: ln === undefined ? Number(n) : 2 ** Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64')
  }
}

function readDjango(text: string): Scrypt | null {
  const [, n, salt, r, p, key] = DJANGO.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  return { N: Number(n), r: Number(r), p: Number(p), salt: Buffer.from(salt), key: Buffer.from(key, 'base64') }
}

function readWerkzeug(text: string): Scrypt | null {
  const [, n, r, p, salt, key] = WERKZEUG.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  return { N: Number(n), r: Number(r), p: Number(p), salt: Buffer.from(salt), key: Buffer.from(key, 'hex') }
}

function readBare(salt: string, key: Buffer): (plain: string) => Promise<boolean> {
  const usual = { N: 16_384, r: 8, p: 1, key }
  const asText = { ...usual, salt: Buffer.from(salt) }
  const asBytes = { ...usual, salt: Buffer.from(salt, 'hex') }
  return async (plain) => {
    // All of them for every password: which one fits is not told by the time.
    const [text, bytes, wide] = [
      await isKeyOf(plain, asText),
      await isKeyOf(plain, asBytes),
      await isKeyOf(plain.normalize('NFKC'), { ...asText, r: 16 })
    ]
    return text || bytes || wide
  }
}

function isBounded({ N, r, p }: Scrypt): boolean {
  const memory = 128 * N * r
  return N > 1 && Number.isInteger(Math.log2(N)) && r > 0 && p > 0 && memory <= MAX_MEMORY && memory * p <= MAX_WORK
}

function isKeyOf(plain: string, { N, r, p, salt, key }: Scrypt): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const bounds = { N, r, p, maxmem: 2 * MAX_MEMORY }
    nodeScrypt(plain, salt, key.length, bounds, (error, derived) => {
      if (error === null) resolve(timingSafeEqual(derived, key))
      else reject(error)
    })
  })
}
