/** Batches towards a store that is well, slow, broken, or silent. */
import type { AuditEvent } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { StoreWriter } from '../../src/journal/store-writer.ts'
import { MemoryAuditStore } from '../../src/storage/memory-audit-store.ts'
import { listeningLog } from '../support/journal-parts.ts'

function event(index: number): AuditEvent {
  const id = `aud_${String(index).padStart(6, '0')}`
  const rest = { actor: null, resource: null, reason: null, ip: null, userAgent: null, requestId: null, metadata: {} }
  return { id, ts: 1, category: 'auth', action: 'logout', outcome: 'success', ...rest }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function turns(count = 20): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn()
}

function setUp(append?: (batch: readonly AuditEvent[]) => Promise<void>) {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const store = new MemoryAuditStore({ clock })
  const batches: number[] = []
  const writer = new StoreWriter({
    clock,
    log,
    store: {
      append: async (batch) => {
        batches.push(batch.length)
        await append?.(batch)
        await store.append(batch)
      }
    }
  })
  const stored = async () => (await store.list({}, { limit: 1000 })).items.length
  return { writer, clock, lines, batches, stored, store }
}

t.test('a burst goes in few batches, in order, after the caller is done', async (t) => {
  const { writer, batches, stored, store } = setUp()
  for (let index = 0; index < 450; index += 1) writer.add(event(index))
  t.strictSame(batches, [])
  await turns()
  t.strictSame(batches, [200, 200, 50])
  t.equal(await stored(), 450)
  t.equal([...store.events.newest()].at(-1)?.id, event(0).id)
  writer.add(event(450))
  await turns()
  t.equal(batches.length, 4)
  t.equal(writer.dropped, 0)
})

t.test('a failed batch is sent again, later and later, and told', async (t) => {
  let failing = true
  const { writer, clock, lines, batches, stored } = setUp(async () => {
    if (failing) throw new Error('down')
  })
  writer.add(event(0))
  await turns()
  t.equal(batches.length, 1)
  writer.add(event(1))
  await turns()
  t.equal(batches.length, 1, 'nothing is sent before the retry')
  for (const delay of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = batches.length
    clock.advance(delay - 1)
    await turns()
    t.equal(batches.length, before, `not before ${delay} ms`)
    clock.advance(1)
    await turns()
    t.equal(batches.length, before + 1)
  }
  t.match(lines[0], { level: 'error', fields: { code: 'SVC_AUDIT_STORE', waiting: 1 } })
  failing = false
  clock.advance(30_000)
  await turns()
  t.equal(await stored(), 2)
  failing = true
  writer.add(event(2))
  await turns()
  const before = batches.length
  clock.advance(1000)
  await turns()
  t.equal(batches.length, before + 1, 'the delay starts anew')
  await writer.close()
})

t.test('a store that never answers is given up after its time', async (t) => {
  const { writer, clock, lines, batches } = setUp(() => new Promise(() => {}))
  writer.add(event(0))
  await turns()
  clock.advance(9_999)
  await turns()
  t.equal(lines.length, 0)
  clock.advance(1)
  await turns()
  t.match(lines[0], { fields: { code: 'SVC_AUDIT_STORE', err: { code: 'SVC_AUDIT_TIMEOUT' } } })
  clock.advance(1000)
  await turns()
  t.equal(batches.length, 2)
  const closing = writer.close()
  clock.advance(5000)
  await closing
  t.equal(writer.dropped, 1)
  t.equal(clock.pending, 1, 'the batch under way keeps its own deadline alone')
})

t.test('what waits is bounded: the oldest stay, the rest is counted and told', async (t) => {
  let failing = true
  const { writer, clock, lines, stored, store } = setUp(async () => {
    if (failing) throw new Error('down')
  })
  for (let index = 0; index < 10_020; index += 1) writer.add(event(index))
  t.equal(writer.dropped, 20)
  await turns()
  failing = false
  clock.advance(1000)
  await turns(100)
  t.equal(store.events.size, 10_000)
  t.equal(await stored(), 1000)
  t.equal([...store.events.newest()][0]?.id, event(9999).id)
  const told = lines.filter(({ fields }) => fields.code === 'SVC_AUDIT_DROPPED')
  t.match(told, [{ text: /buffer of audit events is full/ }, { fields: { dropped: 20, total: 20 } }])
  t.equal(told.length, 2)
})

t.test('closing hands over what waits; afterwards events are dropped', async (t) => {
  const { writer, stored, clock } = setUp()
  for (let index = 0; index < 300; index += 1) writer.add(event(index))
  await writer.close()
  t.equal(await stored(), 300)
  writer.add(event(300))
  t.equal(writer.dropped, 1)
  await turns()
  t.equal(await stored(), 300)
  t.equal(clock.pending, 0)
})

t.test('closing during an outage ends, and counts what is lost', async (t) => {
  const { writer, lines, clock } = setUp(async () => {
    throw new Error('down')
  })
  writer.add(event(0))
  await turns()
  await writer.close()
  t.equal(writer.dropped, 1)
  await t.rejects(writer.storedUpTo(writer.added), { code: 'SVC_AUDIT_UNSTORED' }, 'what it dropped is not stored')
  t.equal(clock.pending, 0, 'no retry is left behind')
  t.match(lines.at(-1), { fields: { code: 'SVC_AUDIT_DROPPED', dropped: 1 } })
})

t.test('a batch under way when closing is stored once', async (t) => {
  const held: (() => void)[] = []
  const { writer, batches, stored } = setUp(() => new Promise((resolve) => held.push(resolve)))
  for (let index = 0; index < 300; index += 1) writer.add(event(index))
  await turns()
  const closing = writer.close()
  await turns()
  held[0]?.()
  await turns()
  for (let next = 1; next < 3; next += 1) {
    held[next]?.()
    await turns()
  }
  await closing
  t.strictSame(batches, [200, 200, 100])
  t.strictSame([await stored(), writer.dropped], [300, 0])
})

t.test('a store that throws at once is a store that failed', async (t) => {
  const { lines } = setUp()
  const clock = new ManualClock()
  const { log } = listeningLog()
  const store = {
    append: () => {
      throw new Error('at once')
    }
  }
  const writer = new StoreWriter({ clock, log, store })
  writer.add(event(0))
  await turns()
  t.strictSame([writer.dropped, clock.pending, lines.length], [0, 1, 0])
  await writer.close()
  t.equal(writer.dropped, 1)
})
