/**
 * An older database opens as it is: every question is answered as the version that wrote it answered, whoever held a
 * credential still holds it, everything can be written on, and no table, collection or index is changed. What a boot
 * makes beside them is named here.
 */
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { WARN } from '../../support/log-lines.ts'
import { credentialsHold } from './credentials-hold.ts'
import { entitiesWriteOn } from './entities-write-on.ts'
import { ledgersWriteOn } from './ledgers-write-on.ts'
import { type OlderDatabase, olderApp } from './older-app.ts'
import { storesWriteOn } from './stores-write-on.ts'
import { type Answer, olderRecords } from './vectors.ts'

/** What a driver logs when it makes something in the database. */
const MAKES = /^(?:created|added|dropped|made|built)\b/

/** SQLite writes an added column into the text that made its table. */
const ADDED = /, \\"(?:traceparent|proof|jkt|audience)\\" text/g

/** Tables that a version of the database may not have, and columns that may be null. */
const NEW =
  /\b(?:svc_)?(?:webhook_(?:version|recovery)|login_attempt|provider_session)|\bsvc_instance|\b(?:traceparent|proof|jkt|audience)\b/

export async function opensUnchanged(t: Test, database: OlderDatabase): Promise<void> {
  const records = olderRecords(database.version, database.records)
  const clock = new ManualClock(records.now)
  const schema = linesOf(await database.schema())
  const standing = async () =>
    linesOf(await database.schema())
      .map((line) => line.replace(ADDED, ''))
      .filter((line) => schema.includes(line) || !NEW.test(line))
  const app = await olderApp(t, database, clock)

  await t.test('a boot changes nothing and warns of nothing', async (t) => {
    t.strictSame(await standing(), schema)
    const messages = app.lines.filter(({ level, msg }) => level >= WARN || (MAKES.test(msg) && !NEW.test(msg)))
    t.strictSame(messages, [])
  })

  await t.test('every record reads, and is found, as it was', async (t) => {
    for (const { of, method, args, answer } of records.answers) {
      const subject = subjectOf(of)
      const ask = subject[method]?.bind(subject)
      const given = JSON.parse(JSON.stringify((await ask?.(...args)) ?? null, withoutAdded)) as unknown
      t.strictSame(given, answer, `${of}.${method}(${JSON.stringify(args).slice(1, -1)})`)
    }
  })

  await t.test('credentials', (t) => credentialsHold(t, app, { clock, records }))
  if (database.version !== '0.1.0') await t.test('newer features', (t) => ledgersWriteOn(t, app, { clock, records }))
  await t.test('stores', (t) => storesWriteOn(t, app, { clock, records }))
  await t.test('entities', (t) => entitiesWriteOn(t, app, records))

  await t.test('a second boot finds the same tables and indexes', async (t) => {
    await app.fastify.close()
    const again = await olderApp(t, database, clock)
    t.strictSame(await standing(), schema)
    t.equal((await again.store('user').findByIdentifier('erin'))?.id, records.ids.erin)
  })

  function subjectOf(name: Answer['of']): Record<string, (...args: readonly unknown[]) => Promise<unknown>> {
    const isEntity = /^[A-Z]/.test(name)
    const subject = isEntity ? app.fastify.orm.repository(name) : app.store(name as Parameters<typeof app.store>[0])
    return subject as unknown as ReturnType<typeof subjectOf>
  }
}

/** A column that was added is null in each row of before. */
function withoutAdded(key: string, value: unknown): unknown {
  return ['proof', 'jkt', 'audience'].includes(key) && value === null ? undefined : value
}

/** A line for each table, column, constraint or index, whatever the database groups them by. */
function linesOf(schema: readonly unknown[]): string[] {
  return schema.flatMap((part) => (isGroup(part) ? linesOf(part) : [JSON.stringify(part)]))
}

/** Rows of one kind; a collection with its indexes is a pair that begins with its name. */
function isGroup(part: unknown): part is readonly unknown[] {
  return Array.isArray(part) && typeof part[0] !== 'string'
}
