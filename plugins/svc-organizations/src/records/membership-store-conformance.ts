/** The suite of the `memberships` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  oneWinner,
  refused,
  runCases,
  STRANGE_TEXTS
} from 'svc-stores/conformance'
import { except, holding, type Where } from 'svc-stores/table'
import type { MembershipRecord, MembershipRow, MembershipStore } from './membership-store.ts'

function aMembership(more: Partial<MembershipRecord> = {}): MembershipRecord {
  return {
    id: 'm1',
    organizationId: 'o1',
    userId: 'u1',
    identifier: 'ada@example.org',
    role: 'member',
    active: true,
    provisioned: false,
    externalId: null,
    profile: {},
    createdAt: 1,
    updatedAt: 1,
    ...more
  }
}

const operations: Operations<MembershipStore> = {
  create: (store) => store.create(aMembership()),
  find: (store) => store.find('o1', 'm1'),
  findByUser: (store) => store.findByUser('o1', 'u1'),
  list: (store) => store.list('o1', 1, 0),
  counts: (store) => store.counts(['o1']),
  search: (store) => store.search('o1', { limit: 1, offset: 0 }),
  ofUser: (store) => store.ofUser('u1'),
  change: (store) => store.change('o1', 'm1', { role: 'admin' }),
  remove: (store) => store.remove('o1', 'm1'),
  removeAll: (store) => store.removeAll('o1')
}

const ids = (rows: readonly MembershipRecord[]) => rows.map(({ id }) => id)

const cases: readonly ConformanceCase<MembershipStore>[] = [
  aCase('a user has one membership in an organisation, and one in each', async ({ store }) => {
    const made = await atOnce(10, (index) =>
      store.create(aMembership({ id: `m${index}` })).then(
        () => true,
        () => false
      )
    )
    oneWinner(made)
    await refused(() => store.create(aMembership({ id: 'm99' })), 'SVC_STORE_DUPLICATE')
    await store.create(aMembership({ id: 'other', organizationId: 'o2' }))
    assert.equal((await store.ofUser('u1')).length, 2)
  }),
  aCase('nothing of another organisation is found, changed or removed', async ({ store }) => {
    await store.create(aMembership())
    await store.create(aMembership({ id: 'm2', organizationId: 'o2' }))
    assert.equal(await store.find('o2', 'm1'), null)
    assert.equal(await store.change('o2', 'm1', { role: 'admin' }), null)
    assert.equal(await store.remove('o2', 'm1'), null)
    assert.deepEqual(ids(await store.list('o1', 10, 0)), ['m1'])
    assert.equal((await store.findByUser('o2', 'u1'))?.id, 'm2')
    assert.equal(await store.removeAll('o2'), 1)
    assert.deepEqual(await store.find('o1', 'm1'), aMembership())
  }),
  aCase('a change asks for the role before, and one caller removes a member', async ({ store, clock }) => {
    await store.create(aMembership({ role: 'owner', profile: { a: [1] } }))
    assert.equal(await store.change('o1', 'm1', { role: 'admin' }, 'member'), null)
    clock.advance(5)
    const changed = await store.change('o1', 'm1', { role: 'admin', active: false }, 'owner')
    assert.deepEqual(
      changed,
      aMembership({ role: 'admin', active: false, profile: { a: [1] }, updatedAt: clock.now() })
    )
    assert.equal(await store.remove('o1', 'm1', 'owner'), null)
    oneWinner((await atOnce(10, () => store.remove('o1', 'm1', 'admin'))).map((row) => row !== null))
  }),
  aCase('lists come in order of creation, by pages', async ({ store }) => {
    for (const index of [3, 1, 2]) {
      await store.create(aMembership({ id: `m${index}`, userId: `u${index}`, createdAt: index }))
    }
    assert.deepEqual(ids(await store.list('o1', 2, 0)), ['m1', 'm2'])
    assert.deepEqual(ids(await store.list('o1', 2, 2)), ['m3'])
  }),
  aCase('members are counted by organisation, and only of those that are asked about', async ({ store }) => {
    for (const [id, organizationId, active] of [
      ['m1', 'o1', true],
      ['m2', 'o1', false],
      ['m3', 'o2', true],
      ['m4', 'o3', true]
    ] as const) {
      await store.create(aMembership({ id, userId: id, organizationId, active }))
    }
    const counts = await store.counts(['o1', 'o2', 'o9'])
    assert.deepEqual([...counts].sort(), [
      ['o1', 2],
      ['o2', 1]
    ])
    assert.equal((await store.counts([])).size, 0)
  }),
  aCase('a search filters, sorts and pages, and finds nothing of another organisation', async ({ store, clock }) => {
    const people: readonly [string, string, object][] = [
      ['m1', 'Ada@Example.org', { emails: [{ type: 'work', value: 'Ada@x' }], title: 'Engineer' }],
      ['m2', 'bob@example.org', { emails: [{ type: 'home', value: 'bob@x' }] }],
      ['m3', '100%_\\@example.org', { name: { familyName: 'Lovelace' } }]
    ]
    for (const [id, identifier, profile] of people) {
      await store.create(aMembership({ id, userId: id, identifier, profile: profile as never, createdAt: 7 }))
    }
    await store.create(aMembership({ id: 'm4', userId: 'm1', organizationId: 'o2', identifier: 'ada@example.org' }))
    const found = async (where: Where<MembershipRow>, more: object = {}) => {
      const { items, total } = await store.search('o1', { where, limit: 9, offset: 0, ...more })
      return [total, ...ids(items)]
    }
    assert.deepEqual(await found({ userName: 'ada@example.org' }), [1, 'm1'])
    assert.deepEqual(await found({ terms: holding('emails[type=work].value=ada@x') }), [1, 'm1'])
    assert.deepEqual(await found({ terms: holding('name.familyname=lovelace') }), [1, 'm3'])
    assert.deepEqual(await found(except({ terms: holding('title') })), [2, 'm2', 'm3'])
    assert.deepEqual(await found([{ field: 'userName', operator: 'like', pattern: '%\\%\\_\\\\@%' }]), [1, 'm3'])
    const byName = { order: { field: 'userName', direction: 'DESC' } }
    assert.deepEqual(await found({ createdAt: 7 }, byName), [3, 'm2', 'm1', 'm3'])
    assert.deepEqual(await found({ createdAt: 7 }, { limit: 1, offset: 1 }), [3, 'm2'])
    assert.deepEqual(await found({ createdAt: 7 }, { limit: 0 }), [3])
    assert.deepEqual(await found({ createdAt: 7 }, { offset: 3 }), [3])
    clock.advance(5)
    await store.change('o1', 'm1', { identifier: 'Eve@example.org', profile: { title: 'Boss' } })
    assert.deepEqual(await found({ userName: 'ada@example.org' }), [0])
    assert.deepEqual(await found({ userName: 'eve@example.org', terms: holding('title=boss') }), [1, 'm1'])
  }),
  aCase('strange texts come back as they were', async ({ store }) => {
    for (const [index, text] of STRANGE_TEXTS.entries()) {
      await store.create(
        aMembership({ id: `m${index}`, userId: text, identifier: text, externalId: text, profile: { text } })
      )
      const found = await store.findByUser('o1', text)
      assert.deepEqual([found?.identifier, found?.externalId, found?.profile], [text, text, { text }])
    }
  })
]

/** Proves a store of memberships. @param runner tap's `t`, or any runner with `test(name, body)` */
export function membershipStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<MembershipStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
