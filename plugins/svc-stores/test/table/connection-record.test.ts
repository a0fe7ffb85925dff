/** The history of a connection: only turns count as such. */
import t from 'tap'
import { ConnectionRecord } from '../../src/table/connection-record.ts'

t.test('up, down and up again', async (t) => {
  const record = new ConnectionRecord()
  t.notOk(record.connected)
  t.ok(record.up(1), 'a turn')
  t.notOk(record.up(2), 'none')
  t.match(record.view(), { connectedSince: 1, connectCount: 1, reconnectCount: 0, errorCount: 0, lastError: null })
  record.failed('busy')
  t.ok(record.connected, 'an error alone is no turn')
  t.ok(record.down('unavailable'))
  t.notOk(record.down('unavailable'))
  t.match(record.view(), { connectedSince: null, errorCount: 3, lastError: 'unavailable' })
  t.ok(record.up(9))
  t.match(record.view(), { connectedSince: 9, connectCount: 2, reconnectCount: 1 })
  record.end()
  t.match(record.view(), { connectedSince: null, errorCount: 3 })
})
