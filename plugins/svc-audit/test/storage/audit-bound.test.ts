/** The bound of the audit events in memory. */

import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { AUDIT_MEMORY } from '../../src/storage/audit-memory.ts'
import { anEvent } from '../../src/storage/audit-store-conformance.ts'
import { MemoryAuditStore } from '../../src/storage/memory-audit-store.ts'

t.test('memory holds the newest 10000 events, first in first out', async (t) => {
  const store = new MemoryAuditStore({ clock: new ManualClock() })
  const id = (index: number) => `aud_${String(index).padStart(6, '0')}`
  await store.append(Array.from({ length: AUDIT_MEMORY + 5 }, (_, index) => anEvent({ id: id(index) })))
  t.equal(store.events.size, 10_000)
  t.equal((await store.list({}, { limit: 1 })).items[0]?.id, id(AUDIT_MEMORY + 4))
  const oldest = await store.list({}, { limit: 10, cursor: `${anEvent().ts}:${id(7)}` })
  t.strictSame(
    oldest.items.map((event) => event.id),
    [id(6), id(5)]
  )
})
