/** Words that others would try first, by a table: whose word a password contains, however it is spelt. */
import t from 'tap'
import { contextWords, wordIn } from '../../src/users/context-words.ts'

const ofApplication = contextWords(['Acme Shop', 'ops', 'Zürich'])

const cases: Array<[password: string, identifier: string | null, found: 'user' | 'application' | null]> = [
  ['a good long secret', 'alice', null],
  ['alice-and-a-half', 'alice', 'user'],
  ['Not A.L.I.C.E again', 'alice', 'user'],
  ['ａｌｉｃｅ in full width', 'alice', 'user'],
  ['a good long secret', null, null],
  ['alice-and-a-half', null, null],
  ['bob and bob and bob', 'bob', null],
  ['my lovelace password', 'ada.lovelace@example.com', 'user'],
  ['ada.lovelace2026', 'ada.lovelace@example.com', 'user'],
  ['adalovelace2026', 'ada.lovelace@example.com', 'user'],
  ['an example for all', 'ada.lovelace@example.com', null],
  ['we use gmail here', 'zoe@gmail.com', null],
  ['@root is not local', '@root', 'user'],
  ['i love ACME-shop', 'alice', 'application'],
  ['acme and its shop', 'alice', null],
  ['devops forever and', 'alice', null],
  ['zu\u0308rich by night', 'alice', 'application'],
  ['alice at acmeshop', 'alice', 'user']
]
for (const [password, identifier, found] of cases) {
  t.test(`${password} of ${identifier}: ${found}`, async (t) =>
    t.equal(wordIn(password, identifier, ofApplication), found)
  )
}

t.test('words that fold to nothing, or to too little, refuse no password', async (t) => {
  t.strictSame(contextWords(['----', 'a-b-c', 'App!', 'four', 'FOUR']), ['four'])
})
