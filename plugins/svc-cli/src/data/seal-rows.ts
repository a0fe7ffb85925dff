/** `svc orm:seal`: encrypts the values of sealed fields that the first key has not encrypted, and prints what it did. */
import { databasesOf } from '../application/database-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, textTable } from '../output.ts'

/** @throws CommandError SVC_SEAL_NONE, SVC_SEAL_LEFT */
export function sealRows(options: AppOptions): Promise<void> {
  return inspectApp(options, 'svc orm:seal', async ({ register }) => {
    const fastify = await register()
    await fastify.ready()
    const orm = databasesOf(fastify)
    if (orm === null) throw new CommandError(none())
    const done = await orm.seal()
    if (done.length === 0) return print('no entity of this application has sealed fields')
    const rows = done.map(({ entity, field, ...counts }) => [
      `${entity}.${field}`,
      ...[counts.sealed, counts.unreadable, counts.duplicates].map(String)
    ])
    print(textTable(['FIELD', 'ENCRYPTED NOW', 'NO KEY', 'DUPLICATES'], rows))
    const left = done.filter(({ unreadable, duplicates }) => unreadable + duplicates > 0)
    if (left.length > 0) throw new CommandError(left.map(problem))
  })
}

function problem({
  entity,
  field,
  unreadable,
  duplicates
}: Awaited<ReturnType<NonNullable<ReturnType<typeof databasesOf>>['seal']>>[number]) {
  return {
    code: 'SVC_SEAL_LEFT',
    message: `not all values of ${entity}.${field} could be encrypted`,
    got: `${unreadable} that no key opens, ${duplicates} that another row has too`,
    expected: 'all of them under the first key',
    fix:
      unreadable > 0
        ? 'add the missing key to the end of encryptionKey'
        : 'change one of the rows with the same value, then run it again',
    more: 'npx svc docs sealed-fields'
  }
}

function none() {
  return {
    code: 'SVC_SEAL_NONE',
    message: 'this application has no database',
    at: 'modules (svc.config.ts)',
    expected: 'svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql',
    more: 'npx svc docs sealed-fields'
  }
}
