/** The portable repository on a real engine: the suite of every driver, and random queries against the memory driver. */
import { systemClock } from 'svc-kernel'
import { type CompiledEntity, FlowStatistics } from 'svc-orm'
import { type ConformanceRunner, ormConformance } from 'svc-orm/conformance'
import { compareWithReference } from 'svc-orm/conformance/reference'
import t from 'tap'
import { DocumentConnector } from '../../src/connector/document-connector.ts'
import { DocumentDatabase } from '../../src/document-database.ts'
import { documents } from '../support/documents.ts'
import { connectionTo } from '../support/open-connection.ts'

t.test('portable repositories', { timeout: 300_000 }, async (t) => {
  const { uri } = await documents(t)

  async function open(entities: readonly CompiledEntity[]): Promise<DocumentConnector> {
    const connection = connectionTo(t, { uri })
    const flow = new FlowStatistics({ enabled: true, slowMs: 1000 })
    const connector = new DocumentConnector({ database: new DocumentDatabase(connection), flow, clock: systemClock })
    connector.prepare(entities)
    await connection.open()
    return connector
  }

  await t.test('the suite', async (t) => {
    // DocumentDB over PostgreSQL has no other word for it.
    const unseenValues = process.env.DOCDB_TEST_URI === undefined
    await ormConformance(t as ConformanceRunner, { open, savepoints: false, unseenValues })
  })

  await t.test('random rows and queries, as the memory driver has them', async () => {
    await compareWithReference({ open })
  })
})
