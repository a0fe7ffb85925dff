/** Any record becomes an identity of two frozen fields, or none. */
import t from 'tap'
import { ANONYMOUS, toUser } from '../../src/identity/identity.ts'

const rows: ReadonlyArray<[title: string, record: unknown, expected: unknown]> = [
  [
    'a record with more fields',
    { identifier: 'ada', roles: ['ROLE_A'], password: 'x' },
    { identifier: 'ada', roles: ['ROLE_A'] }
  ],
  ['no roles', { identifier: 'ada' }, { identifier: 'ada', roles: [] }],
  ['roles that are no list', { identifier: 'ada', roles: 'ROLE_A' }, { identifier: 'ada', roles: [] }],
  ['damaged roles', { identifier: 'ada', roles: [null, 1, 'ROLE_A', {}] }, { identifier: 'ada', roles: ['ROLE_A'] }],
  ['an empty identifier', { identifier: '', roles: ['ROLE_A'] }, null],
  ['an identifier that is no text', { identifier: 7 }, null],
  ['an empty record', {}, null],
  ['null', null, null],
  ['undefined', undefined, null],
  ['text', 'ada', null],
  ['a function', () => 'ada', null]
]

for (const [title, record, expected] of rows) {
  t.test(title, async (t) => {
    t.same(toUser(record), expected)
  })
}

t.test('a class instance with getters is read', async (t) => {
  class Account {
    get identifier(): string {
      return 'ada'
    }
    get roles(): string[] {
      return ['ROLE_A']
    }
  }
  t.same(toUser(new Account()), { identifier: 'ada', roles: ['ROLE_A'] })
})

t.test('the result is frozen and detached from the record', async (t) => {
  const record = { identifier: 'ada', roles: ['ROLE_A'] }
  const user = toUser(record)
  record.roles.push('ROLE_ADMIN')
  t.same(user?.roles, ['ROLE_A'])
  t.ok(Object.isFrozen(user) && Object.isFrozen(user?.roles))
})

t.test('an identity made here is not made again', async (t) => {
  const user = toUser({ identifier: 'ada' })
  t.equal(toUser(user), user)
  t.equal(toUser(ANONYMOUS), ANONYMOUS)
})

t.test('a polluted prototype gives no name and no roles', async (t) => {
  const prototype = Object.prototype as { identifier?: string; roles?: string[] }
  t.teardown(() => {
    delete prototype.identifier
    delete prototype.roles
  })
  prototype.identifier = 'root'
  prototype.roles = ['ROLE_ADMIN']
  t.equal(toUser({}), null)
  const user = toUser({ identifier: 'ada' })
  t.same([...(user?.roles ?? ['none read'])], [])
})

t.test('a null-prototype record is read', async (t) => {
  t.same(toUser(Object.assign(Object.create(null), { identifier: 'ada' })), { identifier: 'ada', roles: [] })
})

t.test('the anonymous user is frozen and has no role', async (t) => {
  t.same(ANONYMOUS, { identifier: 'anonymous', roles: [] })
  t.ok(Object.isFrozen(ANONYMOUS) && Object.isFrozen(ANONYMOUS.roles))
})
