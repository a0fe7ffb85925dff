/** How much a page reads: one document more than it shows, which says whether there is a next page, and no count. */
import type { CommandStartedEvent } from 'mongodb'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

t.test('a page reads its limit and one more', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri, debug: true })
  const store = documentStores.session(connection, new ManualClock())
  await connection.open()
  for (let index = 0; index < 7; index += 1) {
    await store.create({ id: `s${index}`, user: 'alice', content: {}, flash: {}, meta: {} })
  }
  const reads: unknown[] = []
  connection.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (['find', 'aggregate', 'count', 'getMore'].includes(commandName)) reads.push([commandName, command.limit])
  })
  t.match(await store.list({}, { limit: 4 }), { items: { length: 4 }, hasNext: true })
  t.match(await store.list({}, { limit: 7 }), { items: { length: 7 }, hasNext: false })
  t.strictSame(reads, [
    ['find', 5],
    ['find', 8]
  ])
})
