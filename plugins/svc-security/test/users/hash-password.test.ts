/** Hashes of passwords: salted, of the cost that was asked for, never of nothing. */
import t from 'tap'
import { hashPassword } from '../../src/users/hash-password.ts'
import { readPhc } from '../../src/users/phc-string.ts'
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
