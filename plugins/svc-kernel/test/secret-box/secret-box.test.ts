/** The secret box against its published vectors, against a second implementation, and against damage of every kind. */
import { createHmac, randomBytes, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { SecretBox } from '../../src/secret-box/secret-box.ts'

interface Vector {
  readonly title: string
  readonly key: string
  readonly context: string
  readonly nonce: string
  readonly plain: string
  readonly blob: string
}

const published = new URL('../../../../../test/vectors/secret-box.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(published, 'utf8')) as { vectors: Vector[] }
const INVALID_BOX = { code: 'SVC_KERNEL_SECRET_BOX', statusCode: 500 }
const INVALID_KEY = { code: 'SVC_KERNEL_SECRET_KEY', statusCode: 500 }

t.ok(vectors.length >= 5)

for (const { title, key, context, nonce, plain, blob } of vectors) {
  t.test(`vector: ${title}`, async (t) => {
    const box = new SecretBox(key, context)
    t.equal(box.seal(plain, Buffer.from(nonce, 'hex')), blob)
    t.equal(box.open(blob), plain)
    t.equal(await openElsewhere(key, context, blob), plain)
  })
}

/** RFC 5869 spelled out with HMAC, then the decryption of the Web Cryptography API. */
async function openElsewhere(key: string, context: string, blob: string): Promise<string> {
  const pseudoRandom = createHmac('sha256', Buffer.alloc(32)).update(Buffer.from(key, 'base64')).digest()
  const expanded = createHmac('sha256', pseudoRandom).update(`${context}\u0001`, 'latin1').digest()
  const bytes = new Uint8Array(Buffer.from(blob.slice('gcm1.'.length), 'base64url'))
  const parameters = {
    name: 'AES-GCM',
    iv: bytes.subarray(0, 12),
    additionalData: Buffer.from('gcm1.'),
    tagLength: 128
  }
  const imported = await webcrypto.subtle.importKey('raw', new Uint8Array(expanded), 'AES-GCM', false, ['decrypt'])
  return Buffer.from(await webcrypto.subtle.decrypt(parameters, imported, bytes.subarray(12))).toString()
}

const key = randomBytes(32).toString('base64')
const box = new SecretBox(key, 'test/context')

t.test('what is sealed can be opened, and is never sealed alike twice', async (t) => {
  const first = box.seal('a secret')
  const second = box.seal('a secret')
  t.equal(box.open(first), 'a secret')
  t.equal(box.open(second), 'a secret')
  t.not(first, second)
  t.notMatch(first, /a secret/)
})

t.test('refused when truncated at any length', async (t) => {
  const blob = box.seal('a secret')
  for (let length = 0; length < blob.length; length += 1) {
    t.throws(() => box.open(blob.slice(0, length)), INVALID_BOX, `${length} characters`)
  }
})

t.test('refused when any bit is flipped', async (t) => {
  const blob = box.seal('secret')
  const bytes = Buffer.from(blob.slice(5), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const altered = Buffer.from(bytes)
    altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7))
    t.throws(() => box.open(`gcm1.${altered.toString('base64url')}`), INVALID_BOX, `bit ${bit}`)
  }
})

const blob = box.seal('a secret')
const body = blob.slice('gcm1.'.length)
const bytes = Buffer.from(body, 'base64url')
const shorter = (tag: number): string => `gcm1.${bytes.subarray(0, bytes.length - 16 + tag).toString('base64url')}`

const damaged: ReadonlyArray<[title: string, blob: unknown]> = [
  ['an older format', `gcm0.${body}`],
  ['a newer format', `gcm2.${body}`],
  ['a format in capitals', `GCM1.${body}`],
  ['no format', body],
  ['a tag of 12 bytes', shorter(12)],
  ['a tag of 8 bytes', shorter(8)],
  ['a tag of 4 bytes', shorter(4)],
  ['no tag', shorter(0)],
  ['bytes after the end', `gcm1.${Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')}`],
  ['a character that is not base64url', `gcm1.${body.slice(0, 4)}!${body.slice(4)}`],
  ['base64 with padding', `gcm1.${bytes.toString('base64')}=`],
  ['a line break at the end', `${blob}\n`],
  ['the format alone', 'gcm1.'],
  ['nothing', ''],
  ['null', null],
  ['undefined', undefined],
  ['an object', {}]
]

for (const [title, given] of damaged) {
  t.test(`refused: ${title}`, async (t) => {
    t.throws(() => box.open(given as string), INVALID_BOX)
  })
}

t.test('a blob of another context or key does not open', async (t) => {
  t.throws(() => new SecretBox(key, 'test/other').open(blob), INVALID_BOX)
  t.throws(() => new SecretBox(randomBytes(32), 'test/context').open(blob), INVALID_BOX)
})

const keys: ReadonlyArray<[title: string, key: string | Uint8Array, message: string]> = [
  [
    '16 bytes',
    randomBytes(16).toString('base64'),
    'the encryption key decodes to 16 bytes; it must be 32 bytes of base64'
  ],
  ['31 bytes', randomBytes(31), 'the encryption key decodes to 31 bytes; it must be 32 bytes of base64'],
  ['33 bytes', randomBytes(33), 'the encryption key decodes to 33 bytes; it must be 32 bytes of base64'],
  ['no bytes', '', 'the encryption key decodes to 0 bytes; it must be 32 bytes of base64'],
  ['hexadecimal', 'ab'.repeat(32), 'the encryption key decodes to 48 bytes; it must be 32 bytes of base64'],
  ['a passphrase', 'correct horse battery staple!!', 'the encryption key is not base64; it must be 32 bytes of base64'],
  ['base64 with a line break', `${key}\n`, 'the encryption key is not base64; it must be 32 bytes of base64']
]

for (const [title, given, message] of keys) {
  t.test(`key refused: ${title}`, async (t) => {
    t.throws(() => new SecretBox(given, 'test/context'), { ...INVALID_KEY, message })
  })
}

t.test('the same key as bytes, base64 and base64url, with padding or not', async (t) => {
  const raw = Buffer.from(key, 'base64')
  for (const form of [raw, raw.toString('base64url'), key.replace(/=+$/, '')]) {
    t.equal(new SecretBox(form, 'test/context').open(blob), 'a secret')
  }
})

t.test('neither box nor error shows the key', async (t) => {
  const { inspect } = await import('node:util')
  t.notMatch(inspect(box, { depth: 9, showHidden: true }), key)
  t.equal(JSON.stringify(box), '{}')
  t.throws(() => new SecretBox('short-but-secret', 'x'), { message: /^(?!.*short-but-secret)/ })
})

t.test('X8: what an earlier key sealed is sealed under the first one; what rests there stays', async (t) => {
  const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const sealed = new SecretBox(older, 'test').seal('secret')
  const both = new SecretBox([newer, older], 'test')
  const again = both.reseal(sealed)
  t.equal(new SecretBox(newer, 'test').open(again ?? ''), 'secret')
  t.equal(both.reseal(again ?? ''), null)
  t.throws(() => new SecretBox(newer, 'test').reseal(sealed), INVALID_BOX)
})
