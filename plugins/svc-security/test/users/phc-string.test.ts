/** The stored form of password hashes. */
import t from 'tap'
import { readPhc, writePhc } from '../../src/users/phc-string.ts'

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
