/** Names that a database would cut, fold or keep for itself are refused at boot, all together. Pure. */
import { BootError, type Problem } from 'svc-kernel'
import type { CompiledEntity } from 'svc-orm'

/** PostgreSQL cuts longer ones in silence. */
const LONGEST = 63

/** @throws BootError */
export function checkNames(entities: readonly CompiledEntity[]): void {
  const problems = entities.flatMap((entity) => [...tooLong(entity), ...folded(entity), ...reserved(entity)])
  if (problems.length > 0) throw new BootError(problems)
}

function tooLong({ table, fields, place }: CompiledEntity): Problem[] {
  const names = [table, ...fields.keys()].filter((name) => Buffer.byteLength(name) > LONGEST)
  return names.map((name) =>
    problem(`the name ${name} is longer than a database keeps`, place, `at most ${LONGEST} bytes`)
  )
}

/** SQLite takes `title` and `Title` for one column. */
function folded({ name, fields, place }: CompiledEntity): Problem[] {
  const seen = new Set<string>(['id'])
  const doubles: string[] = []
  for (const field of fields.keys()) {
    if (seen.has(field.toLowerCase())) doubles.push(field)
    seen.add(field.toLowerCase())
  }
  return doubles.map((field) => problem(`${name}.${field} differs from another field by its case alone`, place))
}

function reserved({ table, place }: CompiledEntity): Problem[] {
  if (!/^(?:sqlite_|pg_)/.test(table)) return []
  return [problem(`the database keeps names such as ${table} for itself`, place, 'another name for the entity')]
}

function problem(message: string, place: string | null, expected?: string): Problem {
  return { code: 'SVC_SQLORM_NAME', message, at: place ?? undefined, expected, more: 'plugins/svc-sqlorm/README.md' }
}
