/** Hashes of passwords: salted, of the cost that was asked for, never of nothing. */
import t from 'tap'
import { hashPassword, readPhc, writePhc } from '../../src/password-hashes/argon2id.ts'
import { verifyPassword } from '../../src/password-hashes/stored-hash.ts'
import { CHEAP } from '../support/accounts.ts'

t.test('two hashes of one password differ', async (t) => {
  const [one, two] = await Promise.all([hashPassword('secret', CHEAP), hashPassword('secret', CHEAP)])
  t.not(one, two)
})

t.test('the default cost', async (t) => {
  t.match(readPhc(await hashPassword('secret')), { memoryKib: 19456, passes: 2, parallelism: 1 })
})

const refused: Array<[title: string, password: unknown]> = [
  ['empty', ''],
  ['too long', 'x'.repeat(1025)],
  ['not a text', 7]
]
for (const [title, password] of refused) {
  t.test(`refused: ${title}`, async (t) => {
    await t.rejects(hashPassword(password as string, CHEAP), { code: 'SVC_SEC_PASSWORD', statusCode: 400 })
  })
}

const sample = {
  memoryKib: 19456,
  passes: 2,
  parallelism: 1,
  salt: Buffer.from('0123456789abcdef'),
  hash: Buffer.alloc(32, 7)
}

t.test('what is written is read', async (t) => {
  const text = writePhc(sample)
  t.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$=]+\$[^$=]+$/)
  t.strictSame(readPhc(text), sample)
})

const good = writePhc(sample)

t.test('a password is compared with its hash', async (t) => {
  const hash = await hashPassword('correct horse', CHEAP)
  t.equal(await verifyPassword('correct horse', hash), true)
  t.equal(await verifyPassword('correct\u00a0horse', hash), true, 'as a login would read it')
  for (const wrong of ['Correct horse', 'correct horse ', '', 'x'.repeat(1025)]) {
    t.equal(await verifyPassword(wrong, hash), false)
  }
  t.equal(await verifyPassword(7 as never, hash), false)
  for (const none of [null, '', 'correct horse', '$2b$10$abcdefghijklmnopqrstuv', undefined as never, {} as never]) {
    t.equal(await verifyPassword('correct horse', none), false)
  }
})

const damaged: Array<[title: string, text: string]> = [
  ['empty', ''],
  ['plain text', 'hunter2'],
  ['another variant', good.replace('argon2id', 'argon2i')],
  ['another version', good.replace('v=19', 'v=16')],
  ['bcrypt', '$2b$10$abcdefghijklmnopqrstuv'],
  ['cut', good.slice(0, -30)],
  ['more behind', `${good}$x`],
  ['a line behind', `${good}\n`],
  ['no passes', good.replace('t=2', 't=0')],
  ['no lanes', good.replace('p=1', 'p=0')],
  ['less memory than the lanes need', good.replace('m=19456', 'm=7')],
  ['memory without bound', good.replace('m=19456', 'm=99999999')],
  ['passes without bound', good.replace('t=2', 't=100')]
]
for (const [title, text] of damaged) t.test(`unreadable: ${title}`, async (t) => t.equal(readPhc(text), null))
