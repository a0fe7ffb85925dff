/** The suites of migrations that every driver passes, on tables in memory. */
import t from 'tap'
import { compareConversions, compareMigrations } from '../../src/conformance/compare-migrations.ts'
import { MemoryDriver } from '../support/memory-driver.ts'

function subject() {
  const driver = new MemoryDriver()
  return {
    empty: async () => driver.empty(),
    connector: async () => ({ connector: driver.connector(), close: async () => undefined }),
    open: driver.open.bind(driver),
    schema: async () => driver.schema(),
    atomic: true
  }
}

t.test('random versions of an entity: what their migration makes of rows, there and back', async () => {
  await compareMigrations({ ...subject(), runs: 100 })
})

t.test('M1: a value becomes one of its new type, or the migration stops and names the row', async () => {
  await compareConversions(subject())
})
