/** Every store on the foreign driver passes its published suite. */
import { join } from 'node:path'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import t, { type Test } from 'tap'
import { everyStore } from '../../support/every-store.ts'
import { BRICKS, type Brick, runSuite } from '../stores/every-suite.ts'
import { FileDatabase } from './file-database.ts'

for (const brick of BRICKS) t.test(brick, (t) => passes(t, brick))

async function passes(t: Test, brick: Brick): Promise<void> {
  let made = 0
  const onFile = ({ clock }: StoreParts) => {
    made += 1
    const database = new FileDatabase(join(t.testdirName, `${made}.json`), clock)
    const definition = everyStore[brick] as StoreDefinition<object>
    return { database, store: definition.open(database, { clock }) }
  }
  t.testdir({})
  await runSuite(t, brick, {
    makeStore: async (_brick, parts) => {
      const { database, store } = onFile(parts)
      await database.open()
      return store
    },
    faults: () => ({
      unreachable: async (parts: StoreParts) => {
        const { database, store } = onFile(parts)
        return { store, recover: () => database.open() }
      }
    })
  })
}
