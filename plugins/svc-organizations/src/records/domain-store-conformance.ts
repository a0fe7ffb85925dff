/** The suite of the `organizationDomains` brick. */
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
  runCases
} from 'svc-stores/conformance'
import type { DomainRecord, DomainStore } from './domain-store.ts'

function aDomain(more: Partial<DomainRecord> = {}): DomainRecord {
  const blank = { verified: null, checkedAt: null, provider: null, createdAt: 1 }
  return { id: 'd1', organizationId: 'o1', domain: 'example.org', token: 't', ...blank, ...more }
}

const operations: Operations<DomainStore> = {
  create: (store) => store.create(aDomain()),
  find: (store) => store.find('o1', 'd1'),
  findVerified: (store) => store.findVerified('example.org'),
  list: (store) => store.list('o1'),
  change: (store) => store.change('d1', { provider: 'x' }),
  remove: (store) => store.remove('o1', 'd1'),
  removeAll: (store) => store.removeAll('o1'),
  unchecked: (store) => store.unchecked(1, 1)
}

const cases: readonly ConformanceCase<DomainStore>[] = [
  aCase('a domain is claimed once by an organisation, and by several organisations', async ({ store }) => {
    await store.create(aDomain())
    await refused(() => store.create(aDomain({ id: 'd2' })), 'SVC_STORE_DUPLICATE')
    await store.create(aDomain({ id: 'd3', organizationId: 'o2' }))
    assert.deepEqual(await store.list('o1'), [aDomain()])
    assert.equal(await store.find('o2', 'd1'), null)
    assert.equal(await store.remove('o2', 'd1'), false)
    assert.equal(await store.findVerified('example.org'), null)
  }),
  aCase('of organisations at once, one has the domain verified', async ({ store }) => {
    await atOnce(5, (index) => store.create(aDomain({ id: `d${index}`, organizationId: `o${index}` })))
    const verified = await atOnce(5, (index) =>
      store.change(`d${index}`, { verified: 'example.org', checkedAt: index }).then(
        () => true,
        () => false
      )
    )
    oneWinner(verified)
    const won = `d${verified.indexOf(true)}`
    assert.equal((await store.findVerified('example.org'))?.id, won)
    await store.change(won, { verified: null, checkedAt: null })
    assert.equal(await store.findVerified('example.org'), null)
  }),
  aCase('those are due whose last check is too long ago', async ({ store }) => {
    await store.create(aDomain({ verified: 'example.org', checkedAt: 5 }))
    await store.create(aDomain({ id: 'd2', domain: 'b.example', verified: 'b.example', checkedAt: 3 }))
    await store.create(aDomain({ id: 'd3', domain: 'c.example' }))
    assert.deepEqual(
      (await store.unchecked(5, 9)).map(({ id }) => id),
      ['d2', 'd1']
    )
    assert.deepEqual(
      (await store.unchecked(4, 9)).map(({ id }) => id),
      ['d2']
    )
    assert.equal(await store.removeAll('o1'), 3)
  })
]

/** Proves a store of domains. @param runner tap's `t`, or any runner with `test(name, body)` */
export function domainStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<DomainStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
