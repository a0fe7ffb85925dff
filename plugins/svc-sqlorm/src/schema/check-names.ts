/** Names of tables and columns that a database would cut, or that are taken, are refused at boot, all together. Pure. */
import { BootError, type Problem } from 'svc-kernel'
import type { CompiledEntity } from 'svc-orm/driver'

/** PostgreSQL cuts longer ones in silence. */
const LONGEST = 63

/** Of the databases' own tables, and of the stores'. */
const RESERVED = /^(?:sqlite|pg|svc)_/

/** Columns that every table of PostgreSQL has. On SQLite they are refused as well: an entity fits both, or none. */
const SYSTEM_COLUMNS = new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin'])

/** @throws BootError */
export function checkNames(entities: readonly CompiledEntity[]): void {
  const problems = entities.flatMap((entity) => [...tableProblems(entity), ...columnProblems(entity)])
  if (problems.length > 0) throw new BootError(problems)
}

function tableProblems({ name, table, place }: CompiledEntity): Problem[] {
  const taken = RESERVED.test(table)
  if (!taken && table.length <= LONGEST) return []
  const why = taken ? 'which is reserved' : `which is longer than ${LONGEST} characters`
  const message = `the entity ${name} leads to the table name ${table}, ${why}`
  return [{ code: 'SVC_SQLORM_NAME', message, at: place ?? undefined, fix: 'rename the entity' }]
}

function columnProblems({ name, fields, place, existing }: CompiledEntity): Problem[] {
  if (existing !== undefined) return []
  const taken = [...fields.keys()].filter((field) => SYSTEM_COLUMNS.has(field))
  return taken.map((field) => {
    const message = `${name}.${field} has the name of a system column of PostgreSQL`
    return { code: 'SVC_SQLORM_NAME', message, at: place ?? undefined, fix: 'rename the field' }
  })
}
