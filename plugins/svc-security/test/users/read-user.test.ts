/** User records of any make. */
import t from 'tap'
import { readUser } from '../../src/users/read-user.ts'

const plain = { id: 'a', identifier: 'a', roles: [], passwordHash: null, enabled: true, locked: false }

const rows: Array<[title: string, record: unknown, expected: object | null]> = [
  ['plain', { identifier: 'a', roles: ['ROLE_X'] }, { ...plain, roles: ['ROLE_X'] }],
  ['with an id', { id: '7', identifier: 'a', roles: [] }, { ...plain, id: '7' }],
  ['with a hash', { identifier: 'a', roles: [], password: '$x' }, { ...plain, passwordHash: '$x' }],
  ['an empty hash is none', { identifier: 'a', roles: [], password: '' }, plain],
  ['locked', { identifier: 'a', roles: [], locked: true }, { ...plain, locked: true }],
  ['a damaged lock locks', { identifier: 'a', roles: [], locked: 'no' }, { ...plain, locked: true }],
  ['a damaged switch is off', { identifier: 'a', roles: [], enabled: 1 }, { ...plain, enabled: false }],
  [
    'null is no switch',
    { identifier: 'a', roles: [], enabled: null, locked: null },
    { ...plain, enabled: false, locked: true }
  ],
  ['roles that are no texts', { identifier: 'a', roles: ['ROLE_X', 7] }, { ...plain, roles: ['ROLE_X'] }],
  ['no identifier', { roles: [] }, null],
  ['nothing', null, null],
  ['undefined', undefined, null],
  ['a text', 'alice', null]
]
for (const [title, record, expected] of rows) {
  t.test(title, async (t) => t.strictSame(readUser(record), expected))
}
