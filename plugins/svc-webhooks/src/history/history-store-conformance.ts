/** The suite of the `history` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  refused,
  runCases,
  STRANGE_TEXTS,
  spoil,
  strangeJson
} from 'svc-stores/conformance'
import type { HistoryEntry, HistoryStore } from './history-store.ts'

const T0 = Date.UTC(2026, 0, 1)

export function anEntry(given: Partial<HistoryEntry> = {}): HistoryEntry {
  const event = {
    id: 'aud_1',
    ts: T0,
    category: 'auth',
    action: 'login.failure',
    outcome: 'failure',
    actor: 'alice',
    resource: null,
    reason: null,
    ip: null,
    userAgent: null,
    requestId: null,
    metadata: { attempt: 1 }
  } as const
  return {
    id: 'dlv_1',
    endpointId: 'wh_1',
    ts: T0,
    messageId: 'msg_1',
    type: 'login.failure',
    attempt: 1,
    status: 200,
    error: null,
    durationMs: 5,
    outcome: 'delivered',
    responseBody: 'ok',
    event,
    ...given
  }
}

const operations: Operations<HistoryStore> = {
  append: (store) => store.append([anEntry()]),
  list: (store) => store.list('wh_1', {}, { limit: 1 }),
  find: (store) => store.find('wh_1', 'msg_1'),
  counts: (store) => store.counts('wh_1', 0),
  trim: (store) => store.trim('wh_1', 1),
  purge: (store) => store.purge(1),
  forget: (store) => store.forget('wh_1')
}

async function idsOf(store: HistoryStore, filter: object = {}, endpointId = 'wh_1'): Promise<string[]> {
  return (await store.list(endpointId, filter, { limit: 1000 })).items.map(({ id }) => id)
}

const numbered = (count: number, given: Partial<HistoryEntry> = {}) =>
  Array.from({ length: count }, (_, index) => {
    const name = String(index).padStart(3, '0')
    // Three in each millisecond.
    return anEntry({ id: `dlv_${name}`, messageId: `msg_${name}`, ts: T0 + Math.floor(index / 3), ...given })
  })

const cases: ConformanceCase<HistoryStore>[] = [
  aCase('counts how the deliveries of an endpoint ended since a time', async ({ store }) => {
    await store.append([
      anEntry({ id: 'dlv_a', ts: T0 - 1 }),
      anEntry({ id: 'dlv_b' }),
      anEntry({ id: 'dlv_c', outcome: 'retried', status: 503 }),
      anEntry({ id: 'dlv_d', outcome: 'exhausted', status: 503 }),
      anEntry({ id: 'dlv_e', outcome: 'failed', status: 404, ts: T0 + 1 }),
      anEntry({ id: 'dlv_f', endpointId: 'wh_2' })
    ])
    assert.deepEqual(await store.counts('wh_1', T0), { delivered: 1, failed: 2 })
    assert.deepEqual(await store.counts('wh_1', T0 + 2), { delivered: 0, failed: 0 })
  }),
  aCase('keeps entries as they are, newest first, each endpoint for itself', async ({ store }) => {
    const entries = [
      anEntry({ id: 'dlv_a' }),
      anEntry({ id: 'dlv_b', status: null, error: 'timeout', responseBody: null, outcome: 'exhausted' }),
      anEntry({ id: 'dlv_c', endpointId: 'wh_2' })
    ]
    await store.append(entries)
    assert.deepEqual(await store.list('wh_1', {}, { limit: 5 }), {
      items: [entries[1], entries[0]],
      nextCursor: null
    })
    assert.deepEqual(await idsOf(store, {}, 'wh_2'), ['dlv_c'])
    assert.deepEqual(await idsOf(store, {}, 'wh_3'), [])
    await store.append([])
  }),
  aCase('an entry is appended once, however often it is sent', async ({ store }) => {
    const batch = numbered(3)
    await store.append(batch)
    await store.append([anEntry({ id: 'dlv_000', status: 500 })])
    await atOnce(5, () => store.append(batch))
    assert.deepEqual(await idsOf(store), ['dlv_002', 'dlv_001', 'dlv_000'])
    assert.deepEqual(await idsOf(store, { status: 500 }), [])
  }),
  aCase('the cursor walks every entry once, also while new ones arrive', async ({ store }) => {
    const entries = numbered(20)
    await store.append(entries)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await store.list('wh_1', {}, { limit: 7, ...(cursor === null ? {} : { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
      await store.append([anEntry({ id: `dlv_9${seen.length}`, ts: T0 + 1000 })])
    } while (cursor !== null)
    assert.deepEqual(seen, entries.map(({ id }) => id).reverse())
  }),
  aCase('filters in the store', async ({ store }) => {
    await store.append([
      anEntry({ id: 'a', ts: T0 }),
      anEntry({ id: 'b', ts: T0 + 1, outcome: 'failed', status: 404 }),
      anEntry({ id: 'c', ts: T0 + 2, outcome: 'exhausted', status: 503, type: 'logout' }),
      anEntry({ id: 'd', ts: T0 + 3, outcome: 'exhausted', status: null })
    ])
    const rows: [object, string[]][] = [
      [{ outcome: 'exhausted' }, ['d', 'c']],
      [{ status: 404 }, ['b']],
      [{ messageId: 'none' }, []],
      [{ event: 'logout' }, ['c']],
      [{ event: 'log%' }, []],
      [{ since: T0 + 1, until: T0 + 2 }, ['c', 'b']],
      [{ outcome: 'exhausted', event: 'login.failure', since: T0 }, ['d']]
    ]
    for (const [filter, expected] of rows) assert.deepEqual(await idsOf(store, filter), expected)
    for (const filter of [{ q: 'x' }, { outcome: undefined }, { since: '0' }, { endpointId: 'wh_2' }]) {
      await refused(() => store.list('wh_1', filter as never, { limit: 1 }), 'SVC_STORE_FILTER')
    }
    for (const page of [{ limit: 0 }, { limit: 1001 }, { limit: 1, cursor: '1:a b' }]) {
      await refused(() => store.list('wh_1', {}, page), 'SVC_STORE_PAGE')
    }
  }),
  aCase('finds the newest entry of a message', async ({ store }) => {
    await store.append([anEntry({ id: 'dlv_a', status: 500 }), anEntry({ id: 'dlv_b', ts: T0 + 5 })])
    assert.equal((await store.find('wh_1', 'msg_1'))?.id, 'dlv_b')
    assert.equal(await store.find('wh_2', 'msg_1'), null)
    assert.equal(await store.find('wh_1', 'msg_2'), null)
  }),
  aCase('held to a number, to an age, and forgotten with its endpoint', async ({ store }) => {
    await store.append([...numbered(250), anEntry({ id: 'dlv_x', endpointId: 'wh_2' })])
    assert.equal(await store.trim('wh_1', 250), 0)
    assert.equal(await store.trim('wh_1', 20), 230)
    assert.deepEqual((await idsOf(store)).slice(-1), ['dlv_230'])
    assert.equal((await idsOf(store)).length, 20)
    assert.equal(await store.trim('wh_3', 1), 0)
    const oldest = (await store.list('wh_1', {}, { limit: 20 })).items.at(-1)?.ts ?? 0
    // That millisecond holds the entry and one beside it; the other endpoint's is older.
    assert.equal(await store.purge(oldest + 1), 2)
    assert.deepEqual(await idsOf(store, {}, 'wh_2'), [])
    assert.equal(await store.forget('wh_1'), 19)
    assert.deepEqual(await idsOf(store), [])
  }),
  aCase('strange texts and events are kept as they are, and copied in and out', async ({ store }) => {
    const { event } = anEntry()
    const entries = STRANGE_TEXTS.map((text, index) =>
      anEntry({
        id: `dlv_${index}`,
        messageId: text,
        responseBody: text,
        event: { ...event, metadata: strangeJson() }
      })
    )
    await store.append(entries)
    for (const text of STRANGE_TEXTS) {
      const found = await store.find('wh_1', text)
      assert.equal(found?.responseBody, text)
      assert.equal(JSON.stringify(found?.event), JSON.stringify({ ...event, metadata: strangeJson() }))
      spoil(found as object)
      assert.equal((await store.find('wh_1', text))?.responseBody, text)
    }
  })
]

/** Proves a store of histories. @param runner tap's `t`, or any runner with `test(name, body)` */
export function historyStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<HistoryStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
