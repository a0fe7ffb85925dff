/** The memory engine behind the storage port. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { tableConformance } from '../../src/conformance/table-suite.ts'

await tableConformance(t, { open: () => memoryDatabase() })

t.test('a reset empties every table', async (t) => {
  const database = memoryDatabase({ name: 'main' })
  const table = database.table<{ id: string }>({ name: 'thing', columns: [{ name: 'id', type: 'text' }] })
  await table.insert([{ id: 'a' }])
  t.same(await database.reset?.(), ['thing'])
  t.equal(await table.count({}), 0)
  t.equal(database.table({ name: 'thing', columns: [] }), table)
  t.equal((await database.health()).connected, true)
})
