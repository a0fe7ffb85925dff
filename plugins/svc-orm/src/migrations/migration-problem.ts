/** What stops a migration while it runs, said alike by every driver. Never a value of a row: it may be a secret. */
import { BootError } from 'svc-kernel'
import { heldText } from './migrated-column.ts'
import type { MigratedColumn } from './migration.ts'

export type MigrationFault = BootError

/** @param why what of the rows is in the way @param fix what to write into the migration */
export function missingData(why: string, fix: string): MigrationFault {
  return new BootError([{ code: 'SVC_ORM_MIGRATION_DATA', message: why, fix }])
}

/** How many rows are named. */
const NAMED = 5

/**
 * Values that do not become what their column is to hold: the rows by their ids.
 *
 * @param at the column, such as `article.stars` @param rows at least one
 */
export function refusedValues(at: string, to: MigratedColumn, rows: readonly string[]): MigrationFault {
  const named = rows.slice(0, NAMED).join(', ')
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''
  const [values, ids] = rows.length === 1 ? ['value', 'row'] : ['values', 'rows']
  const what = `${rows.length} ${values} of ${at} cannot become ${heldText(to)}: ${ids} ${named}${more}`
  return missingData(what, 'correct the rows, or give convert: (value) => ...')
}

/** @param what what was found, and is not as the step needs it */
export function unexpectedState(what: string): MigrationFault {
  const fix = 'bring the database to where the migration begins, or the migration to where the database is'
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
