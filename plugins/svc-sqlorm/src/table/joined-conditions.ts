/** Conditions joined by `and` or `or`. Many of them are nested: an engine bounds how deep an expression of one list is. Pure. */
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** So many are joined as they are written. */
const FLAT = 16

export function joined(parts: readonly Sql[], by: Sql): Sql {
  if (parts.length <= FLAT) return sql.join(parts, by)
  const half = Math.ceil(parts.length / 2)
  return sql`(${joined(parts.slice(0, half), by)})${by}(${joined(parts.slice(half), by)})`
}
