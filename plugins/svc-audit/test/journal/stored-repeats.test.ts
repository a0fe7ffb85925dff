/** Refusals without end, beside a durable store and by several callers of one network. */
import type { AuditEvent, AuditRecord } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { auditStore } from '../../src/index.ts'
import { KEPT_OF_A_RUN, NAMES_OF_A_NETWORK } from '../../src/journal/repeats.ts'
import { StoreWriter } from '../../src/journal/store-writer.ts'
import { MemoryAuditStore } from '../../src/storage/memory-audit-store.ts'
import { aDenial, aJournal, listeningLog } from '../support/journal-parts.ts'

const denied = (ip: string, given: Partial<AuditRecord> = {}): AuditRecord => ({
  category: 'auth',
  action: 'auth.denied',
  outcome: 'denied',
  actor: null,
  resource: 'api',
  reason: 'no_proof',
  ip,
  ...given
})

function storing() {
  const clock = new ManualClock()
  const written: AuditEvent[] = []
  const add = (event: AuditEvent) => written.push(event)
  const writer = { add, added: 0, storedUpTo: async () => undefined, dropped: 0 }
  return { ...aJournal({ clock, writer }), clock, written }
}

t.test('X6: 5000 anonymous refusals of one address are 20 rows, and one a minute that counts', async (t) => {
  const { journal, clock, written } = storing()
  const began = clock.now()
  for (let time = 1; time <= 5000; time += 1) {
    clock.advance(10)
    if (!journal.countRepeated('auth.denied', '192.0.2.1')) journal.record(denied('192.0.2.1'))
  }
  t.equal(written.length, KEPT_OF_A_RUN, 'within the first minute')
  clock.advance(60_000)
  t.equal(written.length, KEPT_OF_A_RUN + 1)
  t.match(written.at(-1), {
    action: 'auth.denied',
    resource: 'api',
    reason: 'no_proof',
    ip: '192.0.2.1',
    ts: began + 50_000,
    requestId: null,
    metadata: { count: 5000 - KEPT_OF_A_RUN, firstAt: began + 210, lastAt: began + 50_000 }
  })
  clock.advance(600_000)
  t.equal(written.length, KEPT_OF_A_RUN + 1, 'nothing more is written of who is quiet')
  t.equal(new Set(written.map(({ id }) => id)).size, written.length)
})

t.test('X6: listeners hear each, also of what the store counts', async (t) => {
  const { journal, written } = storing()
  const heard: AuditEvent[] = []
  journal.subscribe((event) => heard.push(event))
  for (let time = 0; time < 100; time += 1) journal.record(denied('192.0.2.1'))
  t.equal(heard.length, 100)
  t.strictSame(written, heard.slice(0, KEPT_OF_A_RUN))
  journal.settle()
  t.equal(written.at(-1)?.metadata.count, 80, 'a stop writes the count')
})

t.test('X6: addresses of one network, and names that a caller makes up, do not multiply the rows', async (t) => {
  const { journal, written } = storing()
  for (let n = 0; n < 3000; n += 1) journal.record(denied(`2001:db8:0:1::${n.toString(16)}`))
  t.equal(written.length, KEPT_OF_A_RUN)
  for (let n = 0; n < 30_000; n += 1) {
    const actor = `made-up-${n % 3000}`
    journal.record(denied('192.0.2.9', { action: 'auth.failure', outcome: 'failure', actor }))
  }
  const most = (NAMES_OF_A_NETWORK + 1) * KEPT_OF_A_RUN
  t.ok(written.length <= 2 * most, `${written.length} rows`)
  const before = written.length
  journal.settle()
  t.ok(written.length - before <= NAMES_OF_A_NETWORK + 2, 'nor do the rows that count')
  const counted = written.slice(before).reduce((sum, { metadata }) => sum + Number(metadata.count), 0)
  t.equal(counted + before, 33_000, 'and every one of them is in the journal')
})

t.test('X6: a refusal of who has proven a name has a row of its own, however often', async (t) => {
  const { journal, written } = storing()
  for (let n = 0; n < 100; n += 1) journal.record(aDenial({ ip: '192.0.2.1', actor: 'alice', resource: `ROLE_${n}` }))
  t.equal(written.length, 100)
  for (let n = 0; n < 100; n += 1) journal.record(aDenial({ ip: '192.0.2.1', actor: 'anonymous' }))
  t.equal(written.length, 100 + KEPT_OF_A_RUN, 'the user of an open zone is nobody')
})

t.test('X6: what counts reaches the store with a close, and is found by its last time', async (t) => {
  const clock = new ManualClock()
  const store = auditStore.open(memoryDatabase({ clock }), { clock })
  const { log } = listeningLog()
  const writer = new StoreWriter({ store, clock, log })
  const { journal } = aJournal({ clock, log, writer, store })
  for (let time = 0; time < 90; time += 1) journal.record(denied('192.0.2.1'))
  clock.advance(30_000)
  journal.record(denied('192.0.2.1'))
  const { items } = await journal.list({ since: clock.now() }, { limit: 10 })
  t.strictSame(items, [])
  journal.settle()
  await writer.close()
  const after = await journal.list({ since: clock.now() }, { limit: 10 })
  t.match(after.items, [{ action: 'auth.denied', metadata: { count: 71 } }])
})

t.test('X6: a user agent is kept up to 256 characters, whatever it is made of', async (t) => {
  const { journal } = aJournal()
  for (const char of ['x', '\u0085', '\u202e']) {
    journal.record(denied('192.0.2.1', { userAgent: char.repeat(4000) }))
    t.ok((journal.recent(1)[0]?.userAgent?.length ?? 0) <= 256)
  }
})

t.test('A4: behind one address, who is refused once is found by name beside who is refused without end', async (t) => {
  const { journal } = aJournal()
  for (let time = 0; time < 500; time += 1) journal.record(aDenial({ ip: '192.0.2.1', actor: 'bob' }))
  journal.record(aDenial({ ip: '192.0.2.1', actor: 'alice', resource: 'ROLE_PAYROLL' }))
  t.match(journal.recent(1), [{ actor: 'alice', resource: 'ROLE_PAYROLL', metadata: {} }])
  t.notOk(journal.countRepeated('access.denied', '192.0.2.1', 'carol'), 'nor is the first of another counted away')
  t.ok(journal.countRepeated('access.denied', '192.0.2.1', 'bob'))
  const throttled = { action: 'login.throttled', outcome: 'failure' } as const
  for (let time = 0; time < 30; time += 1) journal.record(denied('192.0.2.1', { ...throttled, actor: 'bob' }))
  t.match(journal.recent(1), [{ actor: 'bob', metadata: { count: 11 } }])
  journal.record(denied('192.0.2.1', { ...throttled, actor: 'alice' }))
  t.match(journal.recent(1), [{ action: 'login.throttled', actor: 'alice' }])
})

t.test('A4: a run is found by the time of its last refusal', async (t) => {
  const clock = new ManualClock()
  const store = new MemoryAuditStore({ clock })
  const { journal } = aJournal({ clock, events: store.events, store })
  const began = clock.now()
  for (let minute = 0; minute < 66; minute += 1) {
    journal.record(aDenial({ ip: '192.0.2.1', actor: 'bob' }))
    clock.advance(59_000)
  }
  const hourAgo = clock.now() - 3_600_000
  const { items } = await journal.list({ since: hourAgo }, { limit: 100 })
  const counted = items.filter(({ metadata }) => typeof metadata.count === 'number')
  t.equal(counted.length, 1)
  t.equal(counted[0]?.metadata.lastAt, clock.now() - 59_000)
  t.strictSame((await journal.list({ since: clock.now() }, { limit: 100 })).items, [], 'and not by a later one')
  const early = await journal.list({ until: began + 20 * 59_000 }, { limit: 100 })
  t.ok(
    early.items.some(({ metadata }) => metadata.count !== undefined),
    'by its first as well'
  )
})
