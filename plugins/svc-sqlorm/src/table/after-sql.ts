/**
 * The rows behind another one in an order, as SQL: its text, and its parameters in the order in which the text takes them.
 *
 * Columns of one direction are compared as a row, which an index follows. Where the direction turns, the rows beyond are
 * an alternative, which no index follows: a bound before it, that says less, keeps the index from starting at its end.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AfterCondition, ConditionValue, SortKey } from 'svc-stores/table'

type Sql = RawBuilder<unknown>

const COMPARISONS = { ASC: { beyond: sql`>`, from: sql`>=` }, DESC: { beyond: sql`<`, from: sql`<=` } }

export function afterSql({ order }: Pick<AfterCondition, 'order'>, ref: (key: SortKey) => Sql): Sql {
  const [run, ...others] = runsOf(order)
  if (run === undefined) return sql`1 = 0`
  const columns = sql.join(run.map(ref))
  const values = sql.join(run.map(() => sql.val(null)))
  const { beyond, from } = COMPARISONS[(run[0] as SortKey).direction]
  if (others.length === 0) return sql`(${columns}) ${beyond} (${values})`
  const next = afterSql({ order: others.flat() }, ref)
  const further = sql`(${columns}) ${beyond} (${values}) or ((${columns}) = (${values}) and ${next})`
  return sql`((${columns}) ${from} (${values}) and (${further}))`
}

/** Each run once for each time that the text compares it. */
export function afterParameters(
  { order, values }: AfterCondition,
  encode: (key: SortKey, value: ConditionValue | undefined) => unknown
): readonly unknown[] {
  const encoded = order.map((key, place) => encode(key, values[place]))
  let from = 0
  return runsOf(order).flatMap(({ length }) => {
    const run = encoded.slice(from, from + length)
    from += length
    return from < order.length ? [...run, ...run, ...run] : run
  })
}

/** The keys of an order, parted where the direction turns. */
function runsOf(order: AfterCondition['order']): readonly (readonly SortKey[])[] {
  const runs: SortKey[][] = []
  for (const key of order) {
    const run = runs.at(-1)
    if (run?.[0]?.direction === key.direction) run.push(key)
    else runs.push([key])
  }
  return runs
}
