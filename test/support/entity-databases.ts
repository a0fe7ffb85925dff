/** An application's entities on every database: the modules that bring svc-orm and a connector, empty for each test. */
import type { ModuleEntry } from 'svc-host'
import svcOrm, { type EntityDefinition } from 'svc-orm'
import type { Test } from 'tap'
import { engines, skipReason } from './engines.ts'

/** Runs a test in memory and on each of them; PostgreSQL is skipped where it is not installed. */
export async function onEveryDatabase(
  t: Test,
  entities: readonly EntityDefinition[],
  work: (t: Test, database: readonly ModuleEntry[]) => Promise<void>
): Promise<void> {
  const parts = { entities }
  await t.test('memory', (t) => work(t, [[svcOrm, { memory: true, parts }]]))
  for (const [name, start] of Object.entries(engines)) {
    const skip = skipReason(name)
    await t.test(name, { skip }, async (t) => {
      const empty = await start(t)
      await work(t, [[svcOrm, { parts }], (await empty()) as ModuleEntry])
    })
  }
}
