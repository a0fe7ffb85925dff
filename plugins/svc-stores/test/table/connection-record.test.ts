/** The history of a connection: only turns count as such. */
import t from 'tap'
import { ConnectionRecord } from '../../src/table/connection-record.ts'

t.test('up, down and up again', async (t) => {
  const record = new ConnectionRecord()
  t.notOk(record.connected)
  t.ok(record.up(1), 'a turn')
  t.notOk(record.up(2), 'none')
  t.match(record.view(), { connectedSince: 1, connectCount: 1, reconnectCount: 0, errorCount: 0, lastError: null })
  record.failed('busy', 2)
  t.ok(record.connected, 'an error alone is no turn')
  t.ok(record.down('unavailable', 3))
  t.notOk(record.down('unavailable', 4))
  t.match(record.view(), { connectedSince: null, disconnectedSince: 3, errorCount: 3, lastError: 'unavailable' })
  t.ok(record.up(9))
  t.match(record.view(), { connectedSince: 9, disconnectedSince: null, connectCount: 2, reconnectCount: 1 })
  record.end()
  t.match(record.view(), { connectedSince: null, errorCount: 3 })
})

t.test('Q13: it says since when it is away, also where it was never there, or broke off without a word', async (t) => {
  const never = new ConnectionRecord()
  t.equal(never.disconnectedSince, null)
  never.failed('refused', 5)
  never.failed('refused', 8)
  t.equal(never.disconnectedSince, 5)
  const cut = new ConnectionRecord()
  cut.up(1)
  cut.failed('busy', 2)
  t.equal(cut.disconnectedSince, null, 'an error alone is no end')
  t.ok(cut.lost(6))
  t.notOk(cut.lost(7))
  t.match(cut.view(), { disconnectedSince: 6, errorCount: 1, lastError: 'busy' })
  cut.end()
  t.equal(cut.disconnectedSince, null)
})
