/**
 * An older database opens as it is: every question is answered as the version that wrote it answered, whoever held a
 * credential still holds it, everything can be written on, and no table, collection or index is made or changed.
 */
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { WARN } from '../../support/log-lines.ts'
import { credentialsHold } from './credentials-hold.ts'
import { entitiesWriteOn } from './entities-write-on.ts'
import { type OlderDatabase, olderApp } from './older-app.ts'
import { storesWriteOn } from './stores-write-on.ts'
import { type Answer, type OlderRecords, readVector } from './vectors.ts'

/** What a driver logs when it makes something in the database. */
const MAKES = /^(?:created|added|dropped|made|built)\b/

export async function opensUnchanged(t: Test, database: OlderDatabase): Promise<void> {
  const records = readVector<OlderRecords>(`${database.records}.json`)
  const clock = new ManualClock(records.now)
  const schema = await database.schema()
  const app = await olderApp(t, database, clock)

  await t.test('a boot makes nothing and warns of nothing', async (t) => {
    t.strictSame(await database.schema(), schema)
    const messages = app.lines.filter(({ level, msg }) => level >= WARN || MAKES.test(msg))
    t.strictSame(messages, [])
  })

  await t.test('every record reads, and is found, as it was', async (t) => {
    for (const { of, method, args, answer } of records.answers) {
      const subject = subjectOf(of)
      const ask = subject[method]?.bind(subject)
      const given = JSON.parse(JSON.stringify((await ask?.(...args)) ?? null)) as unknown
      t.strictSame(given, answer, `${of}.${method}(${JSON.stringify(args).slice(1, -1)})`)
    }
  })

  await t.test('credentials', (t) => credentialsHold(t, app, { clock, records }))
  await t.test('stores', (t) => storesWriteOn(t, app, { clock, records }))
  await t.test('entities', (t) => entitiesWriteOn(t, app, records))

  await t.test('a second boot finds the same tables and indexes', async (t) => {
    await app.fastify.close()
    const again = await olderApp(t, database, clock)
    t.strictSame(await database.schema(), schema)
    t.equal((await again.store('user').findByIdentifier('erin'))?.id, records.ids.erin)
  })

  function subjectOf(name: Answer['of']): Record<string, (...args: readonly unknown[]) => Promise<unknown>> {
    const isEntity = /^[A-Z]/.test(name)
    const subject = isEntity ? app.fastify.orm.repository(name) : app.store(name as Parameters<typeof app.store>[0])
    return subject as unknown as ReturnType<typeof subjectOf>
  }
}
