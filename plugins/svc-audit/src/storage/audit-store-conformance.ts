/** The suite of the `audit` brick. */
import assert from 'node:assert/strict'
import type { AuditEvent } from 'svc-kernel'
import {
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
import type { AuditStore } from './audit-store.ts'

export function anEvent(given: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: 'aud_1',
    ts: Date.UTC(2026, 0, 1),
    category: 'auth',
    action: 'login.failure',
    outcome: 'failure',
    actor: 'alice',
    resource: null,
    reason: 'invalid_credentials',
    ip: '192.0.2.1',
    userAgent: 'test',
    requestId: 'req-1',
    metadata: { attempt: 1 },
    ...given
  }
}

const operations: Operations<AuditStore> = {
  append: (store) => store.append([anEvent()]),
  list: (store) => store.list({}, { limit: 1 }),
  purge: (store) => store.purge(1)
}

const DAY = 86_400_000
const T0 = anEvent().ts

async function idsOf(store: AuditStore, filter: object = {}): Promise<string[]> {
  return (await store.list(filter, { limit: 1000 })).items.map(({ id }) => id)
}

const cases: ConformanceCase<AuditStore>[] = [
  [
    'keeps events as they are, newest first, by id within a millisecond',
    async ({ store }) => {
      const events = [
        anEvent({ id: 'aud_a', ts: T0 + 1 }),
        anEvent({ id: 'aud_c', ts: T0 }),
        anEvent({ id: 'aud_b', ts: T0 + 1, actor: null, ip: null })
      ]
      await store.append(events)
      const { items, ...page } = await store.list({}, { limit: 10 })
      assert.deepEqual(items, [events[2], events[0], events[1]])
      assert.deepEqual(page, { limit: 10, hasNext: false, nextCursor: null })
    }
  ],
  [
    'an event is appended once, however often it is sent',
    async ({ store }) => {
      const batch = [anEvent({ id: 'aud_a' }), anEvent({ id: 'aud_b' })]
      await store.append(batch)
      await store.append([anEvent({ id: 'aud_b', actor: 'mallory' }), anEvent({ id: 'aud_c' })])
      await atOnce(5, () => store.append(batch))
      assert.deepEqual(await idsOf(store), ['aud_c', 'aud_b', 'aud_a'])
      assert.deepEqual(await idsOf(store, { actor: 'mallory' }), [])
      assert.deepEqual(await idsOf(store, { id: 'aud_b' }), ['aud_b'])
      assert.deepEqual(await idsOf(store, { id: 'aud_none' }), [])
      await store.append([anEvent({ id: 'aud_d', requestId: 'req-2' })])
      assert.deepEqual(await idsOf(store, { requestId: 'req-2' }), ['aud_d'])
      await store.append([])
    }
  ],
  [
    'the cursor walks every event once, also while new ones arrive',
    async ({ store }) => {
      // Three events in each millisecond.
      const events = Array.from({ length: 20 }, (_, index) =>
        anEvent({ id: `aud_${String(index).padStart(3, '0')}`, ts: T0 + Math.floor(index / 3) })
      )
      await store.append(events)
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await store.list({}, { limit: 7, ...(cursor === null ? {} : { cursor }) })
        assert.equal(page.hasNext, page.nextCursor !== null)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
        await store.append([anEvent({ id: `aud_9${seen.length}`, ts: T0 + 1000 })])
      } while (cursor !== null)
      assert.deepEqual(seen, events.map(({ id }) => id).reverse())
    }
  ],
  [
    'refuses malformed cursors, limits and filters',
    async ({ store }) => {
      for (const cursor of [
        '',
        'x',
        '1',
        ':',
        '1:',
        ':a',
        '1:a b',
        "1:a' OR 1=1",
        '-1:a',
        '1e3:a',
        `1:${'a'.repeat(200)}`
      ]) {
        await refused(() => store.list({}, { limit: 10, cursor }), 'SVC_STORE_PAGE', /cursor/)
        await refused(() => store.list({ after: cursor }, { limit: 10 }), 'SVC_STORE_PAGE', /cursor/)
      }
      for (const limit of [0, -1, 1.5, 1001, '10', undefined] as never[]) {
        await refused(() => store.list({}, { limit }), 'SVC_STORE_PAGE', /limit/)
      }
      const filters = [
        { text: 'x' },
        { q: 5 },
        { actor: undefined },
        { actor: { $ne: '' } },
        { since: '0' },
        { until: Number.NaN }
      ]
      for (const filter of filters) await refused(() => store.list(filter as never, { limit: 1 }), 'SVC_STORE_FILTER')
    }
  ],
  [
    'filters in the store',
    async ({ store }) => {
      await store.append([
        anEvent({ id: 'a', ts: T0 }),
        anEvent({ id: 'b', ts: T0 + 1, category: 'authz', action: 'access.denied', outcome: 'denied', actor: 'bob' }),
        anEvent({ id: 'c', ts: T0 + 2, action: 'login.success', outcome: 'success' }),
        anEvent({ id: 'd', ts: T0 + 3, actor: null })
      ])
      const rows: [object, string[]][] = [
        [{ category: 'auth' }, ['d', 'c', 'a']],
        [{ action: 'login.failure' }, ['d', 'a']],
        [{ outcome: 'denied' }, ['b']],
        [{ actor: 'alice' }, ['c', 'a']],
        [{ actor: 'ali%' }, []],
        [{ since: T0 + 1, until: T0 + 2 }, ['c', 'b']],
        [{ category: 'auth', outcome: 'failure', actor: 'alice', since: T0 }, ['a']]
      ]
      for (const [filter, expected] of rows)
        assert.deepEqual(await idsOf(store, filter), expected, JSON.stringify(filter))
      const page = await store.list({ category: 'auth' }, { limit: 2 })
      assert.equal(page.hasNext, true)
      const rest = await store.list({ category: 'auth' }, { limit: 2, cursor: page.nextCursor ?? '' })
      assert.deepEqual(
        rest.items.map(({ id }) => id),
        ['a']
      )
    }
  ],
  [
    'Q4: a text is looked for in the store, in any case, page by page',
    async ({ store }) => {
      const rows: Partial<AuditEvent>[] = [
        { actor: 'Alice@Example.com' },
        { action: 'key.alice' },
        { resource: 'user:ALICE' },
        { reason: 'not alice' },
        { ip: '2001:db8::a11ce' },
        { requestId: 'req-alice' },
        { userAgent: 'alice' },
        { metadata: { by: 'alice' } }
      ]
      const blank = { actor: null, reason: null, ip: null, requestId: null, userAgent: null, metadata: {} }
      await store.append(rows.map((row, index) => anEvent({ ...blank, ...row, id: `aud_${index}`, ts: T0 + index })))
      assert.deepEqual(await idsOf(store, { q: 'aLiCe' }), ['aud_5', 'aud_3', 'aud_2', 'aud_1', 'aud_0'])
      assert.deepEqual(await idsOf(store, { q: 'A11CE' }), ['aud_4'])
      assert.deepEqual(await idsOf(store, { q: 'aud_6' }), ['aud_6'])
      for (const q of ['%', '_lice', 'a.ice', '\\', 'nobody']) assert.deepEqual(await idsOf(store, { q }), [], q)
      assert.deepEqual(await idsOf(store, { q: 'alice', action: 'login.failure', since: T0 + 3 }), ['aud_5', 'aud_3'])
      const page = await store.list({ q: 'alice' }, { limit: 2 })
      const next = await store.list({ q: 'alice' }, { limit: 10, cursor: page.nextCursor ?? '' })
      assert.deepEqual([page.hasNext, next.hasNext, next.items.length], [true, false, 3])
    }
  ],
  [
    'Q5: what is newer than an event is read page by page until that event is met',
    async ({ store }) => {
      // Three events in each millisecond; the known one is in the middle of its.
      const ids = Array.from({ length: 20 }, (_, index) => `aud_${String(index).padStart(3, '0')}`)
      await store.append(ids.map((id, index) => anEvent({ id, ts: T0 + Math.floor(index / 3) })))
      const after = `${T0 + 1}:aud_004`
      const seen: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await store.list({ after }, { limit: 4, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      assert.deepEqual(seen, ids.slice(5).reverse())
      assert.deepEqual(await idsOf(store, { after: `${T0 + 6}:aud_019` }), [])
    }
  ],
  [
    'purges what is older than the retention; 0 keeps everything',
    async ({ store, clock }) => {
      const now = clock.now()
      const ages = [0, 10 * DAY - 1, 10 * DAY, 10 * DAY + 1, 400 * DAY]
      await store.append(ages.map((age, index) => anEvent({ id: `aud_${index}`, ts: now - age })))
      assert.equal(await store.purge(0), 0)
      assert.equal(await store.purge(10), 2)
      assert.deepEqual(await idsOf(store), ['aud_0', 'aud_1', 'aud_2'])
      assert.equal(await store.purge(10), 0)
    }
  ],
  [
    'strange texts and metadata are kept as they are, and copied in and out',
    async ({ store }) => {
      const events = STRANGE_TEXTS.map((text, index) =>
        anEvent({ id: `aud_${index}`, actor: text, reason: text, resource: text, metadata: strangeJson() })
      )
      await store.append(events)
      for (const [index, text] of STRANGE_TEXTS.entries()) {
        const { items } = await store.list({ actor: text }, { limit: 10 })
        assert.deepEqual(
          items.map(({ id, reason }) => [id, reason]),
          [[`aud_${index}`, text]]
        )
        assert.equal(JSON.stringify(items[0]?.metadata), JSON.stringify(strangeJson()))
        spoil(items[0] as object)
        spoil(events[index] as object)
        assert.equal((await store.list({ actor: text }, { limit: 10 })).items[0]?.reason, text)
      }
    }
  ]
]

/** Proves an audit store. @param runner tap's `t`, or any runner with `test(name, body)` */
export function auditStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<AuditStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
