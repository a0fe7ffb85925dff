/** Users of the application's own and of the store. */
import { MemoryUserStore } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { loginName, throttleName } from '../../src/users/login-name.ts'
import { PartUserSource } from '../../src/users/part-user-source.ts'
import { StoreUserSource } from '../../src/users/store-user-source.ts'
import { isUsable } from '../../src/users/user-source.ts'

t.test('the application answers for exactly the name that was asked', async (t) => {
  const source = new PartUserSource({ findByIdentifier: (name) => ({ identifier: name.toLowerCase(), roles: [] }) })
  t.match(await source.findByIdentifier('alice'), { identifier: 'alice' })
  t.equal(await source.findByIdentifier('ALICE'), null)
  t.equal(await source.replacePassword(await found(source), 'next'), false)
})

t.test('the store', async (t) => {
  const store = new MemoryUserStore({ clock: new ManualClock() })
  const { id } = await store.create({ identifier: 'alice', roles: ['ROLE_X'], password: 'old' })
  const source = new StoreUserSource(store)
  t.match(await source.findByIdentifier('alice'), { id, passwordHash: 'old', enabled: true, locked: false })
  t.equal(await source.findByIdentifier('nobody'), null)
  t.equal(await source.replacePassword(await found(source), 'new'), true)
  t.equal((await store.find(id))?.password, 'new')
})

t.test('a disabled store lets nobody in and knows nobody', async (t) => {
  const source = new StoreUserSource(null)
  await t.rejects(source.findByIdentifier('alice'), {
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

async function found(source: PartUserSource | StoreUserSource) {
  const user = await source.findByIdentifier('alice')
  if (user === null) throw new Error('alice is missing')
  return user
}
