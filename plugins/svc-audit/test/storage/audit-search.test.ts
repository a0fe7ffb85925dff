/** A search of the journal is bounded by what it looks at, not by what it finds; memory keeps the same contract. */
import type { AuditEvent } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { auditStore } from '../../src/index.ts'
import { SEARCHED_AT_ONCE } from '../../src/storage/audit-store.ts'
import { anEvent, auditStoreConformance } from '../../src/storage/audit-store-conformance.ts'
import { MemoryAuditStore } from '../../src/storage/memory-audit-store.ts'

t.test('the journal in memory', (t) =>
  auditStoreConformance(t, { makeStore: (parts) => new MemoryAuditStore(parts), faults: null })
)

t.test('Q4: a page looks at a bounded number of events, and says where to go on', async (t) => {
  const clock = new ManualClock()
  const store = auditStore.open(memoryDatabase({ clock }), { clock })
  const count = 2 * SEARCHED_AT_ONCE + 50
  const id = (index: number) => `aud_${String(index).padStart(6, '0')}`
  const events = Array.from({ length: count }, (_, index) =>
    anEvent({ id: id(index), ts: anEvent().ts + Math.floor(index / 7), actor: index < 3 ? 'alice' : 'bob' })
  )
  await store.append(events)

  const pages: AuditEvent[][] = []
  let cursor: string | null = null
  do {
    const page = await store.list({ q: 'alice' }, { limit: 10, ...(cursor === null ? {} : { cursor }) })
    pages.push([...page.items])
    t.equal(page.hasNext, page.nextCursor !== null)
    cursor = page.nextCursor
  } while (cursor !== null)
  t.strictSame(
    pages.map((items) => items.map((event) => event.id)),
    [[], [], [id(2), id(1), id(0)]],
    'two pages found nothing in their part, the third found all of it'
  )
  const full = await store.list({ q: 'bob' }, { limit: 10 })
  t.strictSame([full.items.length, full.nextCursor], [10, `${full.items[9]?.ts}:${id(count - 10)}`])
})
