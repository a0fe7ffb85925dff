/** Names of tables that a database would cut, or that are taken, are refused at boot, all together. Pure. */
import { BootError, type Problem } from 'svc-kernel'
import type { CompiledEntity } from 'svc-orm'

/** PostgreSQL cuts longer ones in silence. */
const LONGEST = 63

/** Of the databases' own tables, and of the stores'. */
const RESERVED = /^(?:sqlite|pg|svc)_/

/** @throws BootError */
export function checkNames(entities: readonly CompiledEntity[]): void {
  const problems = entities.flatMap(({ name, table, place }): Problem[] => {
    const taken = RESERVED.test(table)
    if (!taken && table.length <= LONGEST) return []
    const why = taken ? 'which is reserved' : `which is longer than ${LONGEST} characters`
    const message = `the entity ${name} would have the table ${table}, ${why}`
    return [{ code: 'SVC_SQLORM_NAME', message, at: place ?? undefined, fix: 'give the entity another name' }]
  })
  if (problems.length > 0) throw new BootError(problems)
}
