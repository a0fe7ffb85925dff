/** The suite of svc-orm on SQLite in memory, SQLite in a file, and PostgreSQL; random criteria beside the reference. */

import { ormConformance } from 'svc-orm/conformance'
import { compareWithReference } from 'svc-orm/conformance/reference'
import { compareScopes } from 'svc-orm/conformance/scopes'
import { compareTrees } from 'svc-orm/conformance/trees'
import type { CompiledEntity } from 'svc-orm/driver'
import t, { type Test } from 'tap'
import { onPostgres } from './support/on-postgres.ts'
import { openConnector } from './support/open-connector.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

t.setTimeout(240_000)

async function everything(t: Test, newUrl: (t: Test) => Promise<string>): Promise<void> {
  const open = async (entities: readonly CompiledEntity[]) => {
    const { repositories, close } = await openConnector(await newUrl(t), entities)
    t.teardown(close)
    return repositories
  }
  await t.test('the suite', (t) => ormConformance({ test: (name, body) => t.test(name, body) }, { open }))
  await t.test('random rows and criteria, as the memory driver has them', () => compareWithReference({ open }))
  await t.test('random questions of two organisations', () => compareScopes({ open }))
  await t.test('random trees, beside a model', () => compareTrees({ open }))
}

t.test('SQLite in memory', (t) => everything(t, async () => 'sqlite::memory:'))

t.test('SQLite in a file', (t) => everything(t, async (t) => `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres((t, server) => everything(t, () => server.createDatabase()))
