/** What stops a migration while it runs, said alike by every driver. Never a value of a row: it may be a secret. */
import { BootError } from 'svc-kernel'
import type { MigratedReference } from './migration.ts'

export type MigrationFault = BootError

/** @param why what of the rows is in the way @param fix what to write into the migration */
export function missingData(why: string, fix: string): MigrationFault {
  return new BootError([{ code: 'SVC_ORM_MIGRATION_DATA', message: why, fix }])
}

/** @param rows the first of them, by id @param crossed the field in which they differ from the rows that they name; absent: they name none */
export function danglingRows(
  entity: string,
  { column, to }: MigratedReference,
  count: number,
  rows: readonly string[],
  crossed?: string
): MigrationFault {
  const [one, ids] = count === 1 ? ['1 row', 'row'] : [`${count} rows`, 'rows']
  const more = count > rows.length ? ` and ${count - rows.length} more` : ''
  const named = crossed === undefined ? `no ${to}` : `a ${to} of another ${crossed}`
  return missingData(
    `${one} of ${entity} ${count === 1 ? 'names' : 'name'} ${named} in ${column}: ${ids} ${rows.join(', ')}${more}`,
    `npx svc orm:check lists them, npx svc orm:check --repair mends them; or keep them with onDelete: 'none'`
  )
}

/** Of an entity that keeps its deleted rows no more. */
export function rowsComeBack(count: number, entity: string, column: string): MigrationFault {
  const rows = count === 1 ? '1 row of' : `${count} rows of`
  const fix = "give deleted: 'remove' or deleted: 'restore'"
  return missingData(
    `${rows} ${entity} ${count === 1 ? 'is' : 'are'} deleted, and would come back without ${column}`,
    fix
  )
}

/** @param what what was found, and is not as the step needs it */
export function unexpectedState(what: string): MigrationFault {
  const fix = 'correct the database or the migration, so that both agree'
  return new BootError([{ code: 'SVC_ORM_MIGRATION_STATE', message: what, fix }])
}

/** @param kept what has become of the steps before it */
export function migrationFailed(name: string, reason: string, kept: string, cause: unknown): MigrationFault {
  const message = `${name} failed: ${reason}; ${kept}`
  return new BootError(
    [{ code: 'SVC_ORM_MIGRATION_FAILED', message, fix: 'correct the migration, and run it again' }],
    {
      cause
    }
  )
}
