/** The suite of the `organizationGroups` brick. */
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
import { holding, type Where } from 'svc-stores/table'
import type { GroupRecord, GroupRow, GroupStore } from './group-store.ts'

function aGroup(more: Partial<GroupRecord> = {}): GroupRecord {
  const plain = { externalId: null, members: ['m1', 'm2'], createdAt: 1, updatedAt: 1 }
  return { id: 'g1', organizationId: 'o1', displayName: 'Sales', ...plain, ...more }
}

const operations: Operations<GroupStore> = {
  create: (store) => store.create(aGroup()),
  find: (store) => store.find('o1', 'g1'),
  list: (store) => store.list('o1', 1),
  search: (store) => store.search('o1', { limit: 1, offset: 0 }),
  namesOf: (store) => store.namesOf('o1', 'm1'),
  replace: (store) => store.replace(aGroup(), 1),
  remove: (store) => store.remove('o1', 'g1'),
  removeAll: (store) => store.removeAll('o1')
}

const cases: readonly ConformanceCase<GroupStore>[] = [
  aCase('a group has a name of its own within its organisation, and nobody else sees it', async ({ store }) => {
    await store.create(aGroup())
    assert.deepEqual(await store.find('o1', 'g1'), aGroup())
    assert.equal(await store.find('o2', 'g1'), null)
    await refused(() => store.create(aGroup({ id: 'g2' })), 'SVC_STORE_DUPLICATE')
    await store.create(aGroup({ id: 'g2', organizationId: 'o2' }))
    await store.create(aGroup({ id: 'g3', displayName: 'B', createdAt: 2, members: [] }))
    assert.deepEqual(
      (await store.list('o1', 9)).map(({ id }) => id),
      ['g1', 'g3']
    )
    await refused(() => store.replace(aGroup({ id: 'g3' }), 1), 'SVC_STORE_DUPLICATE')
    assert.equal(await store.remove('o2', 'g1'), false)
    assert.equal(await store.removeAll('o1'), 2)
    assert.deepEqual(
      (await store.list('o2', 9)).map(({ id }) => id),
      ['g2']
    )
  }),
  aCase('of changes at once that saw the same group, one is made', async ({ store }) => {
    await store.create(aGroup())
    const made = await atOnce(10, (index) => store.replace(aGroup({ members: [`m${index}`] }), 1))
    oneWinner(made.map((row) => row !== null))
    assert.deepEqual(
      await store.find('o1', 'g1'),
      made.find((row) => row !== null)
    )
    assert.equal(await store.replace(aGroup({ organizationId: 'o2' }), 2), null)
  }),
  aCase('a search finds names without case, and members', async ({ store }) => {
    for (const [id, displayName, members] of [
      ['g1', 'Sales', ['m1', 'm2']],
      ['g2', 'Büro', ['m2']],
      ['g3', 'Empty', []]
    ] as const) {
      await store.create(aGroup({ id, displayName, members }))
    }
    await store.create(aGroup({ id: 'g4', organizationId: 'o2', members: ['m1'] }))
    const found = async (where: Where<GroupRow>) =>
      (await store.search('o1', { where, limit: 9, offset: 0 })).items.map(({ id }) => id)
    assert.deepEqual(await found({ name: 'büro' }), ['g2'])
    assert.deepEqual(await found({ members: holding('m2') }), ['g1', 'g2'])
    assert.deepEqual([...(await store.namesOf('o1', 'm2'))].sort(), ['Büro', 'Sales'])
    assert.deepEqual(await store.namesOf('o2', 'm2'), [])
    await store.replace(aGroup({ id: 'g2', displayName: 'Other', members: ['m2'] }), 1)
    assert.deepEqual([await found({ name: 'büro' }), await found({ name: 'other' })], [[], ['g2']])
  }),
  aCase('strange texts come back as they were', async ({ store }) => {
    for (const [index, text] of STRANGE_TEXTS.entries()) {
      await store.create(aGroup({ id: `g${index}`, displayName: text, externalId: text }))
      assert.equal((await store.find('o1', `g${index}`))?.displayName, text)
    }
  })
]

/** Proves a store of groups. @param runner tap's `t`, or any runner with `test(name, body)` */
export function groupStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<GroupStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
