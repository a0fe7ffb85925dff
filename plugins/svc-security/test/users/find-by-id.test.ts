/** Users by the id that other records of theirs are kept under. */
import { MemoryUserStore } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { PartUserSource } from '../../src/users/part-user-source.ts'
import { StoreUserSource } from '../../src/users/store-user-source.ts'

t.test('users of the application', async (t) => {
  const plain = new PartUserSource({ findByIdentifier: () => ({ identifier: 'alice', roles: [] }) })
  t.match(await plain.findById('alice'), { id: 'alice' }, 'without ids, the identifier is the id')
  t.equal(await plain.findById('bob'), null)
  const alice = { id: '7', identifier: 'alice', roles: [] }
  const withIds = { findByIdentifier: (name: string) => (name === 'alice' ? alice : null) }
  t.equal(await new PartUserSource(withIds).findById('7'), null, 'ids need a look-up of their own')
  t.equal(await new PartUserSource(withIds).findById('alice'), null, 'a name is no id')
  const whole = new PartUserSource({ ...withIds, findById: () => alice })
  t.match(await whole.findById('7'), { identifier: 'alice' })
  t.equal(await whole.findById('8'), null, 'an answer for another id')
})

t.test('users of the store', async (t) => {
  const store = new MemoryUserStore({ clock: new ManualClock() })
  const { id } = await store.create({ identifier: 'alice' })
  const source = new StoreUserSource(store)
  t.match(await source.findById(id), { id, identifier: 'alice' })
  t.equal(await source.findById('alice'), null)
  await t.rejects(new StoreUserSource(null).findById(id), { code: 'SVC_SEC_UNAVAILABLE' })
})
