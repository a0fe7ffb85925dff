/** Users of the application's own and of the store. */
import type { FastifyInstance } from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { throttleName } from '../../src/throttling/tracks.ts'
import {
  isUsable,
  type LoadedUser,
  loginName,
  ProvidedUsers,
  readUser,
  StoredUsers,
  type UserProvider
} from '../../src/users/user-source.ts'
import { userStore } from '../../src/users/user-store.ts'

const container = { name: 'the application' } as unknown as FastifyInstance

const provided = (users: UserProvider) => new ProvidedUsers(users, container)

t.test('users of the application are asked with the application at hand', async (t) => {
  const calls: unknown[][] = []
  const alice = { id: '7', identifier: 'alice', roles: [] }
  const noting =
    <Answer>(answer: Answer) =>
    (...given: unknown[]): Answer => {
      calls.push(given)
      return answer
    }
  const source = provided({
    findByIdentifier: noting(alice),
    findById: noting(alice),
    replacePassword: noting(Promise.resolve(true))
  })
  await source.findById('7')
  t.equal(await source.replacePassword(await found(source), 'next'), true)
  t.strictSame(calls, [
    ['7', container],
    ['alice', container],
    ['7', null, 'next', container]
  ])
})

t.test('the application answers for exactly the name that was asked', async (t) => {
  const source = provided({ findByIdentifier: (name) => ({ identifier: name.toLowerCase(), roles: [] }) })
  t.match(await source.findByIdentifier('alice'), { identifier: 'alice' })
  t.equal(await source.findByIdentifier('ALICE'), null)
  t.equal(await source.replacePassword(await found(source), 'next'), false)
})

t.test('the store', async (t) => {
  const store = inMemory(userStore, { clock: new ManualClock() })
  const { id } = await store.create({ identifier: 'alice', roles: ['ROLE_X'], password: 'old' })
  const source = new StoredUsers(store)
  t.match(await source.findByIdentifier('alice'), { id, passwordHash: 'old', enabled: true, locked: false })
  t.equal(await source.findByIdentifier('nobody'), null)
  t.equal(await source.replacePassword(await found(source), 'new'), true)
  t.equal((await store.find(id))?.password, 'new')
})

t.test('a disabled store lets nobody in and knows nobody', async (t) => {
  const source = new StoredUsers(null)
  await t.rejects(async () => source.findByIdentifier('alice'), {
    message: 'authentication is not available at the moment',
    statusCode: 503
  })
})

t.test('who may act', async (t) => {
  t.equal(isUsable({ enabled: true, locked: false }), true)
  t.equal(isUsable({ enabled: false, locked: false }), false)
  t.equal(isUsable({ enabled: true, locked: true }), false)
})

t.test('one form of each name', async (t) => {
  t.equal(loginName('zoe\u0301'), 'zo\u00e9')
  t.equal(loginName(' Alice '), ' Alice ')
  t.equal(throttleName(' ALICE\u3000'), throttleName('alice'))
})

async function found(source: ProvidedUsers | StoredUsers) {
  const user = await source.findByIdentifier('alice')
  if (user === null) throw new Error('alice is missing')
  return user
}

t.test('users of the application', async (t) => {
  const plain = provided({ findByIdentifier: () => ({ identifier: 'alice', roles: [] }) })
  t.match(await plain.findById('alice'), { id: 'alice' }, 'without ids, the identifier is the id')
  t.equal(await plain.findById('bob'), null)
  const alice = { id: '7', identifier: 'alice', roles: [] }
  const withIds = { findByIdentifier: (name: string) => (name === 'alice' ? alice : null) }
  t.equal(await provided(withIds).findById('7'), null, 'ids need a look-up of their own')
  t.equal(await provided(withIds).findById('alice'), null, 'a name is no id')
  const whole = provided({ ...withIds, findById: () => alice })
  t.match(await whole.findById('7'), { identifier: 'alice' })
  t.equal(await whole.findById('8'), null, 'an answer for another id')
})

t.test('users of the store', async (t) => {
  const store = inMemory(userStore, { clock: new ManualClock() })
  const { id } = await store.create({ identifier: 'alice' })
  const source = new StoredUsers(store)
  t.match(await source.findById(id), { id, identifier: 'alice' })
  t.equal(await source.findById('alice'), null)
  await t.rejects(async () => new StoredUsers(null).findById(id), { code: 'SVC_SEC_UNAVAILABLE' })
})

const plain = { id: 'a', identifier: 'a', roles: [], passwordHash: null, enabled: true, locked: false }

type Expected = Pick<LoadedUser, 'id' | 'identifier' | 'roles' | 'passwordHash' | 'enabled' | 'locked'>

const rows: Array<[title: string, record: unknown, expected: Expected | null]> = [
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
  const identity = expected && { identifier: expected.identifier, roles: expected.roles }
  t.test(title, async (t) => t.strictSame(readUser(record), expected && { ...expected, identity }))
}
