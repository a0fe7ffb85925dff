/** The suite of the `webhooks` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  listingCases,
  NOT_TEXT,
  type Operations,
  oneWinner,
  refused,
  runCases,
  STRANGE_TEXTS,
  searchCases,
  spoil,
  strangeJson,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import type { NewWebhook } from './endpoint.ts'
import { type WebhooksStore, webhookSort } from './endpoint-store.ts'

export { webhookSort }

export function aWebhook(given: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: 'wh_1',
    url: 'https://receiver.example/hook',
    secretEnc: 'gcm1.c2VjcmV0',
    events: ['login.failure'],
    enabled: true,
    description: 'the receiver',
    tenantId: null,
    createdBy: 'admin',
    metadata: { team: 'a' },
    ...given
  }
}

const operations: Operations<WebhooksStore> = {
  create: (store) => store.create(aWebhook()),
  find: (store) => store.find('wh_1'),
  update: (store) => store.update('wh_1', { enabled: false }),
  delete: (store) => store.delete('wh_1'),
  enabled: (store) => store.enabled(),
  recordSuccess: (store) => store.recordSuccess('wh_1', 200),
  recordFailure: (store) => store.recordFailure('wh_1', 500, 'failed'),
  disable: (store) => store.disable('wh_1', 1),
  list: (store) => store.list({}, {}),
  count: (store) => store.count({}),
  stats: (store) => store.stats({})
}

const cases: ConformanceCase<WebhooksStore>[] = [
  aCase('keeps what was created, nothing delivered yet', async ({ store, clock }) => {
    const expected = {
      ...aWebhook(),
      createdAt: clock.now(),
      updatedAt: clock.now(),
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      lastDeliveryError: null,
      failureCount: 0
    }
    assert.deepEqual(await store.create({ ...aWebhook(), failureCount: 99, extra: 1 } as never), expected)
    assert.deepEqual(await store.find('wh_1'), expected)
    await refused(() => store.create(aWebhook()), 'SVC_STORE_DUPLICATE')
    assert.equal(await store.find('wh_2'), null)
  }),
  aCase('an update writes the given keys alone, and its time', async ({ store, clock }) => {
    const created = await store.create(aWebhook())
    clock.advance(5)
    const patch = { url: 'https://b.example/', enabled: false, description: null, createdAt: 0, id: 'wh_9' }
    const updated = await store.update('wh_1', patch as never)
    const expected = { ...created, url: 'https://b.example/', enabled: false, description: null }
    assert.deepEqual(updated, { ...expected, updatedAt: created.updatedAt + 5 })
    assert.deepEqual(await store.find('wh_1'), updated)
    assert.equal(await store.update('nobody', { enabled: true }), null)
  }),
  aCase('of changes at once that saw the same endpoint one wins', async ({ store }) => {
    const { updatedAt } = await store.create(aWebhook())
    const change = (index: number) => store.update('wh_1', { description: `${index}` }, undefined, updatedAt)
    assert.equal(await store.update('wh_1', { enabled: false }, undefined, updatedAt - 1), null)
    const won = await atOnce(20, change)
    oneWinner(won.map((record) => record !== null))
    const [winner] = won.filter((record) => record !== null)
    assert.deepEqual(await store.find('wh_1'), winner)
    assert.ok((winner?.updatedAt ?? 0) > updatedAt)
  }),
  aCase('of changes at once to the same secret one wins', async ({ store }) => {
    await store.create(aWebhook())
    const sealed = aWebhook().secretEnc
    const winners = await atOnce(20, async (index) => {
      return (await store.update('wh_1', { secretEnc: `gcm1.${index}` }, sealed)) !== null
    })
    oneWinner(winners)
    const { secretEnc = '' } = (await store.find('wh_1')) ?? {}
    assert.notEqual(secretEnc, sealed)
    assert.equal(await store.update('wh_1', { enabled: false }, sealed), null)
    assert.equal((await store.find('wh_1'))?.enabled, true)
    assert.equal((await store.update('wh_1', { enabled: false }, secretEnc))?.enabled, false)
  }),
  aCase('failures at once are all counted, each call told its own number', async ({ store, clock }) => {
    const created = await store.create(aWebhook())
    clock.advance(5)
    const counts = await atOnce(50, () => store.recordFailure('wh_1', 500, 'server error'))
    assert.deepEqual(
      counts.sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 50 }, (_, index) => index + 1)
    )
    assert.deepEqual(await store.find('wh_1'), {
      ...created,
      failureCount: 50,
      lastDeliveryAt: clock.now(),
      lastDeliveryStatus: 500,
      lastDeliveryError: 'server error'
    })
    assert.equal(await store.recordFailure('nobody', null, 'timeout'), null)
  }),
  aCase('a success ends the failures', async ({ store }) => {
    await store.create(aWebhook())
    await store.recordFailure('wh_1', null, 'timeout')
    assert.equal((await store.find('wh_1'))?.lastDeliveryStatus, null)
    assert.equal(await store.recordSuccess('wh_1', 204), true)
    const found = await store.find('wh_1')
    assert.deepEqual([found?.failureCount, found?.lastDeliveryStatus, found?.lastDeliveryError], [0, 204, null])
    assert.equal(await store.recordSuccess('nobody', 200), false)
  }),
  aCase('an endpoint dies once, at its threshold', async ({ store }) => {
    await store.create(aWebhook())
    const deaths = await atOnce(50, async () => {
      const failures = await store.recordFailure('wh_1', null, 'refused')
      return (failures ?? 0) >= 20 && store.disable('wh_1', 20)
    })
    oneWinner(deaths)
    assert.equal((await store.find('wh_1'))?.enabled, false)
    assert.equal(await store.disable('wh_1', 1), false)
    assert.equal(await store.disable('nobody', 0), false)
  }),
  aCase('below the threshold it lives; a reset and a success count', async ({ store }) => {
    await store.create(aWebhook())
    await atOnce(3, () => store.recordFailure('wh_1', 500, 'server error'))
    assert.equal(await store.disable('wh_1', 4), false)
    await store.update('wh_1', { failureCount: 0 })
    assert.equal(await store.disable('wh_1', 3), false)
    await refused(() => store.update('wh_1', { failureCount: 7 } as never), 'SVC_STORE_RECORD', /failureCount/)
    assert.equal((await store.find('wh_1'))?.enabled, true)
  }),
  aCase('a delivery leaves concurrent changes alone', async ({ store }) => {
    await store.create(aWebhook())
    await atOnce<unknown>(30, (index) =>
      index % 2 ? store.update('wh_1', { description: 'changed' }) : store.recordFailure('wh_1', 500, 'x')
    )
    const found = await store.find('wh_1')
    assert.deepEqual([found?.description, found?.failureCount], ['changed', 15])
  }),
  aCase('deleting ends it: later outcomes bring nothing back', async ({ store }) => {
    await store.create(aWebhook())
    oneWinner(await atOnce(20, () => store.delete('wh_1')))
    await store.recordFailure('wh_1', 500, 'x')
    await store.recordSuccess('wh_1', 200)
    await store.update('wh_1', { enabled: true })
    assert.equal(await store.count({}), 0)
  }),
  aCase('the snapshot holds the enabled endpoints with their secrets', async ({ store }) => {
    for (const id of ['wh_b', 'wh_a', 'wh_off']) await store.create(aWebhook({ id, enabled: id !== 'wh_off' }))
    const endpoints = await store.enabled()
    assert.deepEqual(
      endpoints.map(({ id, secretEnc }) => [id, secretEnc]),
      [
        ['wh_a', aWebhook().secretEnc],
        ['wh_b', aWebhook().secretEnc]
      ]
    )
    spoil(endpoints[0] as object)
    assert.equal((await store.enabled())[0]?.url, aWebhook().url)
  }),
  aCase('filters and counts in the store', async ({ store }) => {
    await store.create(aWebhook({ id: 'wh_a', events: ['*'] }))
    await store.create(aWebhook({ id: 'wh_b', events: ['login.*', 'token.revoked'], enabled: false }))
    await store.create(aWebhook({ id: 'wh_c', events: ['login.failure'] }))
    await store.recordFailure('wh_c', 500, 'x')
    const rows: [object, string[]][] = [
      [{}, ['wh_a', 'wh_b', 'wh_c']],
      [{ enabled: true }, ['wh_a', 'wh_c']],
      [{ enabled: false }, ['wh_b']],
      [{ event: 'token.revoked' }, ['wh_b']],
      [{ event: 'login.*' }, ['wh_b']],
      [{ event: '*' }, ['wh_a']],
      [{ event: 'login' }, []],
      [{ failing: true }, ['wh_c']],
      [{ failing: false, enabled: true }, ['wh_a']],
      [{ degraded: { ids: ['wh_a', 'wh_b', 'wh_c', 'wh_gone'], is: true } }, ['wh_a']],
      [{ degraded: { ids: ['wh_a', 'wh_b', 'wh_c'], is: false } }, ['wh_b', 'wh_c']]
    ]
    for (const [filter, expected] of rows) {
      const { items } = await store.list(filter, { order: [['id', 'ASC']] })
      assert.deepEqual(
        items.map(({ id }) => id),
        expected,
        JSON.stringify(filter)
      )
      assert.equal(await store.count(filter), expected.length)
    }
    assert.deepEqual(await store.stats({}), { total: 3, active: 2, disabled: 1, failing: 1 })
    assert.deepEqual(await store.stats({ event: '*' }), { total: 1, active: 1, disabled: 0, failing: 0 })
    assert.deepEqual(await store.stats({ q: 'nothing' }), { total: 0, active: 0, disabled: 0, failing: 0 })
  }),
  aCase('strange texts and metadata are kept as they are; what no store can keep is refused', async ({ store }) => {
    for (const text of STRANGE_TEXTS) {
      await store.create(aWebhook({ id: text, events: [text], description: text, metadata: strangeJson() }))
    }
    for (const text of STRANGE_TEXTS) {
      const found = await store.find(text)
      assert.deepEqual([found?.events, found?.description], [[text], text])
      assert.equal(JSON.stringify(found?.metadata), JSON.stringify(strangeJson()))
      assert.equal(await store.count({ event: text }), 1, JSON.stringify(text))
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.create(aWebhook({ id: text })), 'SVC_STORE_RECORD', /"id"/)
      await refused(() => store.update('100%', { events: [text] }), 'SVC_STORE_RECORD', /"events"/)
      assert.equal(await store.find(text), null)
    }
    for (const value of NOT_TEXT as never[]) {
      assert.equal(await store.find(value), null)
      assert.equal(await store.delete(value), false)
    }
    assert.equal(await store.count({}), STRANGE_TEXTS.length)
  }),
  ...searchCases<WebhooksStore>({
    fields: 'the description',
    anchored: false,
    seed: (store, description, index) => store.create(aWebhook({ id: `wh_${index}`, url: '', description })),
    search: async (store, q) => (await store.list({ q }, {})).items.map(({ description }) => description)
  }),
  ...searchCases<WebhooksStore>({
    fields: 'the url',
    anchored: false,
    seed: (store, url, index) => store.create(aWebhook({ id: `wh_${index}`, url, description: null })),
    search: async (store, q) => (await store.list({ q }, {})).items.map(({ url }) => url)
  }),
  ...listingCases<WebhooksStore>({
    sortable: webhookSort.fields,
    hidden: ['secretEnc'],
    seed: async (store, index) => {
      const id = `wh_${(index * 7) % 10}`
      await store.create(aWebhook({ id, url: `https://${(index * 3) % 10}.example/`, enabled: index % 2 === 0 }))
      for (let failure = 0; failure < index % 4; failure += 1) await store.recordFailure(id, 500, 'x')
    },
    list: (store, filter, page) => store.list(filter, page as never),
    count: (store, filter) => store.count(filter)
  })
]

/** Proves a webhooks store. @param runner tap's `t`, or any runner with `test(name, body)` */
export function webhooksStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<WebhooksStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
