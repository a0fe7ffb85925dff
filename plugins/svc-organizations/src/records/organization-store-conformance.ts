/** The suite of the `organizations` brick. */
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
import type { OrganizationFilter, OrganizationRecord, OrganizationStore } from './organization-store.ts'

function anOrganization(more: Partial<OrganizationRecord> = {}): OrganizationRecord {
  return {
    id: 'o1',
    slug: 'acme',
    name: 'Acme',
    suspendedAt: null,
    suspendedReason: null,
    deleteAt: null,
    exportedAt: null,
    owners: 1,
    transferTo: null,
    transferFrom: null,
    createdAt: 1,
    ...more
  }
}

const operations: Operations<OrganizationStore> = {
  create: (store) => store.create(anOrganization()),
  find: (store) => store.find('o1'),
  findBySlug: (store) => store.findBySlug('acme'),
  findAll: (store) => store.findAll(['o1']),
  list: (store) => store.list(1, 0),
  change: (store) => store.change('o1', { name: 'B' }),
  addOwner: (store) => store.addOwner('o1'),
  releaseOwner: (store) => store.releaseOwner('o1'),
  takeTransfer: (store) => store.takeTransfer('o1', 'm1'),
  due: (store) => store.due(1),
  remove: (store) => store.remove('o1')
}

const cases: readonly ConformanceCase<OrganizationStore>[] = [
  aCase('an organisation comes back whole, by id and by slug; a slug is taken once', async ({ store }) => {
    await store.create(anOrganization())
    assert.deepEqual(await store.find('o1'), anOrganization())
    assert.deepEqual(await store.findBySlug('acme'), anOrganization())
    assert.equal(await store.find('o2'), null)
    await refused(() => store.create(anOrganization({ id: 'o2' })), 'SVC_STORE_DUPLICATE')
    await store.create(anOrganization({ id: 'o2', slug: 'globex', createdAt: 2 }))
    await refused(() => store.change('o2', { slug: 'acme' }), 'SVC_STORE_DUPLICATE')
    assert.deepEqual((await store.findAll(['o2', 'o3', 'o1'])).map(({ id }) => id).sort(), ['o1', 'o2'])
    assert.deepEqual(
      (await store.list(1, 0)).map(({ id }) => id),
      ['o2']
    )
    assert.deepEqual(
      (await store.list(10, 1)).map(({ id }) => id),
      ['o1']
    )
  }),
  aCase('a listing filters by a part of name or slug and by state, and its pages are whole', async ({ store }) => {
    const rows: readonly [string, string, string, Partial<OrganizationRecord>][] = [
      ['o1', 'acme', 'Acme 100%_', {}],
      ['o2', 'globex', 'GLOBEX', { suspendedAt: 5, suspendedReason: 'unpaid' }],
      ['o3', 'hooli', 'Straße', { deleteAt: 9 }],
      ['o4', 'initech', 'of Acme', { suspendedAt: 5, deleteAt: 9 }]
    ]
    for (const [id, slug, name, more] of rows) await store.create(anOrganization({ id, slug, name, ...more }))
    const found = async (filter: OrganizationFilter) => (await store.list(9, 0, filter)).map(({ id }) => id)
    assert.deepEqual(await found({}), ['o4', 'o3', 'o2', 'o1'])
    assert.deepEqual(await found({ q: 'ACME' }), ['o4', 'o1'])
    assert.deepEqual(await found({ q: 'lobe' }), ['o2'])
    assert.deepEqual(await found({ q: 'oli' }), ['o3'])
    assert.deepEqual(await found({ q: '0%_' }), ['o1'])
    assert.deepEqual(await found({ q: 'c%e' }), [])
    assert.deepEqual(await found({ state: 'active' }), ['o1'])
    assert.deepEqual(await found({ state: 'suspended' }), ['o4', 'o2'])
    assert.deepEqual(await found({ state: 'closing' }), ['o3'])
    assert.deepEqual(await found({ q: 'acme', state: 'suspended' }), ['o4'])
    const pages = await Promise.all([0, 1, 2, 3].map(async (offset) => (await store.list(1, offset))[0]?.id))
    assert.deepEqual(pages, ['o4', 'o3', 'o2', 'o1'])
  }),
  aCase('a change keeps what it does not name', async ({ store }) => {
    await store.create(anOrganization())
    assert.deepEqual(await store.change('o1', { suspendedAt: 5 }), anOrganization({ suspendedAt: 5 }))
    assert.deepEqual(await store.change('o1', { name: 'B' }), anOrganization({ suspendedAt: 5, name: 'B' }))
    assert.equal(await store.change('o2', { name: 'B' }), null)
  }),
  aCase('of owners who go at once, one stays', async ({ store }) => {
    await store.create(anOrganization())
    assert.equal(await store.releaseOwner('o1'), false)
    await atOnce(4, () => store.addOwner('o1'))
    const released = await atOnce(10, () => store.releaseOwner('o1'))
    assert.equal(released.filter(Boolean).length, 4)
    assert.equal((await store.find('o1'))?.owners, 1)
  }),
  aCase('of callers at once, one takes a transfer', async ({ store }) => {
    await store.create(anOrganization({ transferTo: 'm2', transferFrom: 'm1' }))
    assert.equal(await store.takeTransfer('o1', 'm3'), null)
    const taken = await atOnce(10, () => store.takeTransfer('o1', 'm2'))
    oneWinner(taken.map((each) => each !== null))
    assert.equal(taken.find((each) => each !== null)?.transferFrom, 'm1')
    assert.equal((await store.find('o1'))?.transferTo, null)
  }),
  aCase('those are due whose time has come and which were exported', async ({ store, clock }) => {
    const deleteAt = clock.now() + 10
    await store.create(anOrganization({ deleteAt, exportedAt: 1 }))
    await store.create(anOrganization({ id: 'o2', slug: 'b', deleteAt }))
    await store.create(anOrganization({ id: 'o3', slug: 'c', exportedAt: 1 }))
    clock.advance(9)
    assert.deepEqual(await store.due(10), [])
    clock.advance(1)
    assert.deepEqual(await store.due(10), ['o1'])
    assert.deepEqual([await store.remove('o1'), await store.remove('o1')], [true, false])
  }),
  aCase('strange texts come back as they were', async ({ store }) => {
    for (const [index, text] of STRANGE_TEXTS.entries()) {
      await store.create(anOrganization({ id: `o${index}`, slug: `s${index}`, name: text }))
      assert.equal((await store.find(`o${index}`))?.name, text)
    }
  })
]

/** Proves a store of organisations. @param runner tap's `t`, or any runner with `test(name, body)` */
export function organizationStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<OrganizationStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
