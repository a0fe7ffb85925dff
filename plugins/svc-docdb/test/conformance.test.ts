/** The portable repository on a real engine: the suite of every driver, and random queries against the memory driver. */

import { type ConformanceRunner, ormConformance } from 'svc-orm/conformance'
import { compareWithReference } from 'svc-orm/conformance/reference'
import { compareScopes } from 'svc-orm/conformance/scopes'
import { compareTrees } from 'svc-orm/conformance/trees'
import { type CompiledEntity, EntityRepositories } from 'svc-orm/driver'
import t from 'tap'
import { DocumentDatabase } from '../src/document-database.ts'
import { documents } from './support/documents.ts'
import { connectionTo } from './support/open-connection.ts'

t.test('portable repositories', { timeout: 300_000 }, async (t) => {
  const { uri } = await documents(t)

  async function open(entities: readonly CompiledEntity[]): Promise<EntityRepositories> {
    const connection = connectionTo(t, { uri })
    const repositories = new EntityRepositories({ database: new DocumentDatabase(connection), entities })
    await connection.open()
    return repositories
  }

  await t.test('the suite', async (t) => {
    // DocumentDB over PostgreSQL has no other word for it.
    const unseenValues = process.env.DOCDB_TEST_URI === undefined
    await ormConformance(t as ConformanceRunner, { open, savepoints: false, unseenValues })
  })

  await t.test('random rows and queries, as the memory driver has them', async () => {
    await compareWithReference({ open })
  })

  await t.test('random questions of two organisations', () => compareScopes({ open }))
  await t.test('random trees, beside a model', () => compareTrees({ open }))
})
