/** Rows that references lead to, as joins: once for each place that an order reaches, whatever number of its keys do. */
import { type RawBuilder, sql } from 'kysely'
import type { Order, ReachedValue, SortKey, Step } from 'svc-stores/table'

type Sql = RawBuilder<unknown>

interface Reach {
  readonly alias: string
  readonly step: Step
  /** Of the row that the step begins at; `null`: the row that is found. */
  readonly from: string | null
  readonly isRequired: boolean
}

/** A key whose value is reached. */
export type ReachedKey = SortKey & { readonly by: ReachedValue }

export function reachedKeys(order: Order): readonly ReachedKey[] {
  return order.filter((key): key is ReachedKey => key.by?.kind === 'reached')
}

/** @param table of the rows that are found, as they are named */
export function reachedJoins(order: Order, table: string): Sql {
  const joins = [...reachesOf(order).values()].map(({ alias, step, from, isRequired }) => {
    const { field, table: other, column } = step
    const isSame = sql`${sql.ref(`${alias}.${column}`)} = ${sql.ref(`${from ?? table}.${field}`)}`
    return sql` ${isRequired ? sql`` : sql`left `}join ${sql.table(other.name)} as ${sql.ref(alias)} on ${isSame}${presentSql(step, alias)}`
  })
  return sql.join(joins, sql``)
}

/** What the joins take. */
export function reachedParameters(order: Order): readonly unknown[] {
  return [...reachesOf(order).values()].flatMap(({ step: { only } }) => (only === undefined ? [] : [only.value]))
}

/** A row that counts as one: it begins with `and`, and takes the value of `only`. */
export function presentSql({ unless, only }: Step, alias: string): Sql {
  const isThere = unless === undefined ? sql`` : sql` and ${sql.ref(`${alias}.${unless}`)} is null`
  return only === undefined ? isThere : sql`${isThere} and ${sql.ref(`${alias}.${only.column}`)} = ${sql.val(null)}`
}

/** The column of a key, among the joins of its order. */
export function reachedColumn(order: Order, { steps, column }: ReachedValue): Sql {
  const reach = reachesOf(order).get(shapeOf(steps))
  if (reach === undefined) throw new TypeError('a key of another order')
  return sql.ref(`${reach.alias}.${column}`)
}

export function reachedShape({ steps, column, required }: ReachedValue): string {
  return `${shapeOf(steps)}.${column} ${required}`
}

function reachesOf(order: Order): ReadonlyMap<string, Reach> {
  const reaches = new Map<string, Reach>()
  for (const { by } of reachedKeys(order)) {
    let from: string | null = null
    for (const [place, step] of by.steps.entries()) {
      const shape = shapeOf(by.steps.slice(0, place + 1))
      const reach: Reach = reaches.get(shape) ?? {
        alias: `reached ${reaches.size + 1}`,
        step,
        from,
        isRequired: by.required === true
      }
      reaches.set(shape, reach)
      from = reach.alias
    }
  }
  return reaches
}

function shapeOf(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ field, table, column, unless, only }) => [field, table.name, column, unless, only?.column])
  )
}
