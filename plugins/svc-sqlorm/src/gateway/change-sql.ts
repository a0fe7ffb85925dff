/** Changes as SQL: their shape, the `set` clause, and its parameters in order. */
import { type RawBuilder, sql } from 'kysely'
import type { ParsedChanges } from 'svc-orm'
import type { ColumnOf } from './condition-sql.ts'

export function changeShape({ set, max, min, add }: ParsedChanges): string {
  return [set, max, min, add].map((part) => [...part.keys()].join(' ')).join('/')
}

export function changeSql({ set, max, min, add }: ParsedChanges): RawBuilder<unknown> {
  const clause = (name: string, value: RawBuilder<unknown>) => sql`${sql.ref(name)} = ${value}`
  const bound = (name: string, comparison: RawBuilder<unknown>) => {
    const column = sql.ref(name)
    const given = sql.val(null)
    const replaced = sql`${column} is null or ${column} ${comparison} ${given}`
    return clause(name, sql`case when ${replaced} then ${sql.val(null)} else ${column} end`)
  }
  return sql.join([
    ...[...set.keys()].map((name) => clause(name, sql`${sql.val(null)}`)),
    ...[...max.keys()].map((name) => bound(name, sql`<`)),
    ...[...min.keys()].map((name) => bound(name, sql`>`)),
    ...[...add.keys()].map((name) => clause(name, sql`coalesce(${sql.ref(name)}, 0) + ${sql.val(null)}`))
  ])
}

export function changeParameters({ set, max, min, add }: ParsedChanges, columnOf: ColumnOf): readonly unknown[] {
  const encoded = (name: string, value: unknown) => columnOf(name).encode(value)
  return [
    ...[...set].map(([name, value]) => encoded(name, value)),
    // Once to compare with, once to take.
    ...[...max, ...min].flatMap(([name, value]) => [encoded(name, value), encoded(name, value)]),
    ...[...add].map(([name, delta]) => encoded(name, delta))
  ]
}
