/** Hashes of other systems, made by foreign tools: the password fits, others do not, and no figure costs more than its bound. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { readStoredHash, verifyPassword } from '../../src/password-hashes/stored-hash.ts'
import { CHEAP } from '../support/accounts.ts'

interface Vector {
  readonly form: string
  readonly 'made by': string
  readonly password: string
  readonly hash: string
}

const published = new URL('../../../../../test/vectors/imported-hashes.json', import.meta.url)
const vectors = JSON.parse(readFileSync(published, 'utf8')) as Vector[]

for (const { form, password, hash, 'made by': tool } of vectors) {
  t.test(`${form}, by ${tool}`, async (t) => {
    const stored = readStoredHash(hash)
    t.match(stored, { imported: true })
    t.ok(stored?.isDue(CHEAP), 'it is replaced')
    t.equal(await verifyPassword(password, hash), true)
    for (const other of ['', password.toUpperCase(), `${password.slice(0, -1)}?`, `?${password}`]) {
      const isCut = password.length > 72 && other.endsWith('?') && !other.startsWith('?')
      t.equal(await verifyPassword(other, hash), isCut, JSON.stringify(other))
    }
    const damaged = hash.replace(/.(.{8})$/, (_, end) => `${hash.at(-9) === 'e' ? 'a' : 'e'}${end}`)
    t.equal(await verifyPassword(password, damaged), false, 'another key')
  })
}

t.test('a password beyond 1024 characters is no one’s, however the hash was made', async (t) => {
  const [bcrypt] = vectors.filter(({ form }) => form === 'bcrypt beyond 72 bytes')
  t.equal(await verifyPassword('x'.repeat(1024), bcrypt?.hash ?? null), true)
  t.equal(await verifyPassword('x'.repeat(1025), bcrypt?.hash ?? null), false)
})

const KEY = 'A'.repeat(43)
const unread: Array<[title: string, text: string]> = [
  ['empty', ''],
  ['a password in clear', 'correct horse battery'],
  ['MD5 in hexadecimal', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['bcrypt $2x$', `$2x$05$${'a'.repeat(53)}`],
  ['bcrypt below its least cost', `$2b$03$${'a'.repeat(53)}`],
  ['bcrypt beyond the bound', `$2b$17$${'a'.repeat(53)}`],
  ['bcrypt, cut', `$2b$05$${'a'.repeat(52)}`],
  ['scrypt, N no power of two', `$scrypt$n=1000,r=8,p=1$AAAAAAAAAAA$${KEY}`],
  ['scrypt, N of 1', `$scrypt$ln=0,r=8,p=1$AAAAAAAAAAA$${KEY}`],
  ['scrypt, r of 0', `$scrypt$ln=10,r=0,p=1$AAAAAAAAAAA$${KEY}`],
  ['scrypt of 512 MiB', `$scrypt$ln=19,r=8,p=1$AAAAAAAAAAA$${KEY}`],
  ['scrypt of 99 lanes', `$scrypt$ln=17,r=8,p=99$AAAAAAAAAAA$${KEY}`],
  ['scrypt of Django, N of 0', `scrypt$0$saltsalt$8$5$${KEY}`],
  ['PBKDF2 without rounds', `pbkdf2_sha256$0$saltsalt$${KEY}=`],
  ['PBKDF2 beyond the bound', `pbkdf2_sha256$5000001$saltsalt$${KEY}=`],
  ['PBKDF2 of MD5', `pbkdf2:md5:1000$saltsalt$${'0'.repeat(64)}`],
  ['Identity of an unknown version', Buffer.alloc(61, 2).toString('base64')],
  ['Identity 2 of a wrong length', Buffer.alloc(50).toString('base64')],
  [
    'Identity 3 whose salt leaves no key',
    Buffer.from(`01${'00000001'}${'000003e8'}${'ffffffff'}${'00'.repeat(48)}`, 'hex').toString('base64')
  ],
  [
    'Identity 3 beyond the bound',
    Buffer.from(`01${'00000001'}${'ffffffff'}${'00000010'}${'00'.repeat(48)}`, 'hex').toString('base64')
  ],
  ['phpass below its least rounds', `$P$4${'a'.repeat(30)}`],
  ['phpass beyond the bound', `$P$H${'a'.repeat(30)}`],
  ['phpass of another letter', `$S$9${'a'.repeat(30)}`],
  ['argon2i of version 16', `$argon2i$v=16$m=8192,t=2,p=1$c29tZXNhbHQ$${KEY}`],
  ['argon2d of too little memory', `$argon2d$v=19$m=8,t=2,p=2$c29tZXNhbHQ$${KEY}`],
  ['argon2i of 2 GiB', `$argon2i$v=19$m=2097152,t=2,p=1$c29tZXNhbHQ$${KEY}`],
  ['argon2i without a pass', `$argon2i$v=19$m=8192,t=0,p=1$c29tZXNhbHQ$${KEY}`]
]
for (const [title, text] of unread) {
  t.test(`not read: ${title}`, async (t) => {
    t.equal(readStoredHash(text), null)
    t.equal(await verifyPassword('password', text), false)
  })
}
