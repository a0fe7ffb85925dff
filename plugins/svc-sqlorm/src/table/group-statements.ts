/** Groups of rows as statements. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Condition, type Group, type Grouping, groupOrder, type TablePlan } from 'svc-stores/table'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import { ConditionSql } from './condition-sql.ts'
import { type GroupedColumn, groupedColumns, joinedKeys, numberOf } from './grouped-columns.ts'
import { reachedJoins, reachedParameters } from './reached-sql.ts'
import { asText } from './table-columns.ts'

type Sql = RawBuilder<unknown>

interface OrderedPlace {
  readonly place: number
  readonly direction: 'ASC' | 'DESC'
}

/** Names no table: conditions on groups are of the columns of a selection. */
const GROUPS: TablePlan = Object.freeze({ name: 'the groups', columns: Object.freeze([]) })

export class GroupStatements {
  readonly #name: string
  readonly #conditions: ConditionSql
  readonly #compiled: CompiledStatements
  readonly #engine: SqlEngine
  /** Of the groupings that are being read. */
  readonly #known = new WeakMap<Grouping, readonly GroupedColumn[]>()

  constructor(name: string, conditions: ConditionSql, compiled: CompiledStatements, engine: SqlEngine) {
    this.#name = name
    this.#conditions = conditions
    this.#compiled = compiled
    this.#engine = engine
  }

  select(conditions: readonly Condition[], grouping: Grouping): CompiledQuery {
    const { by, having = [], limit } = grouping
    const columns = this.#columns(grouping)
    const places = new Map(columns.map(({ name }, place) => [name, place]))
    const order = groupOrder(grouping).map(({ field, direction }) => ({ place: places.get(field) ?? 0, direction }))
    const met = having.map((each) => renamed(each, (name) => numberOf(places.get(name) ?? 0)))
    const groups = met.length === 0 ? null : this.#groupConditions(columns)
    const shape = [by.length, columns.map((column) => column.shape), order.map((each) => Object.values(each))]
    const asked = `${this.#conditions.shape(conditions)}${groups === null ? '' : ` having ${groups.shape(met)}`}`
    const query = this.#compiled.get(`group ${JSON.stringify(shape)} ${limit === undefined} ${asked}`, () => {
      const bounded = limit === undefined ? sql`` : sql` limit ${this.#engine.rowCount}`
      // What is bound, and what is asked of groups, is said once: an outer selection names it by its number.
      const isNested = groups !== null || columns.some(({ parameters }) => parameters.length > 0)
      if (!isNested) {
        const named = columns.map((column, place) => sql`${shown(column, column.sql)} as ${sql.ref(numberOf(place))}`)
        const rows = this.#grouped(
          named,
          grouping,
          conditions,
          columns.slice(0, by.length).map((column) => column.sql)
        )
        return sql`${rows}${this.#ordered(order, (place) => columns[place]?.sql ?? sql``)}${bounded}`
      }
      const named = columns.map((column, place) => sql`${column.sql} as ${sql.ref(numberOf(place))}`)
      const rows = this.#grouped(
        named,
        grouping,
        conditions,
        by.map((_, place) => sql.raw(String(place + 1)))
      )
      const numbered = (place: number) => sql.ref(`groups.${numberOf(place)}`)
      const outer = columns.map(
        (column, place) => sql`${shown(column, numbered(place))} as ${sql.ref(numberOf(place))}`
      )
      const ordered = this.#ordered(order, numbered)
      return sql`select ${sql.join(outer)} from (${rows}) as ${sql.ref('groups')}${groups?.where(met, 'groups') ?? sql``}${ordered}${bounded}`
    })
    const parameters = [
      ...columns.flatMap((column) => column.parameters),
      ...reachedParameters(joinedKeys(grouping)),
      ...this.#conditions.parameters(conditions),
      ...(groups?.parameters(met) ?? [])
    ]
    return { ...query, parameters: limit === undefined ? parameters : [...parameters, limit] }
  }

  read(rows: readonly StoredRecord[], grouping: Grouping): Group[] {
    const columns = this.#columns(grouping)
    const names = columns.map((_, place) => numberOf(place))
    return rows.map((row) => {
      const group: Record<string, unknown> = {}
      for (const [place, { name, read }] of columns.entries()) {
        const value = row[names[place] as string] ?? null
        group[name] = value === null ? null : read(value)
      }
      return group
    }) as Group[]
  }

  #columns(grouping: Grouping): readonly GroupedColumn[] {
    const known = this.#known.get(grouping)
    if (known !== undefined) return known
    const rows = { conditions: this.#conditions, engine: this.#engine }
    const columns = groupedColumns(grouping, grouping.reached === undefined ? rows : { ...rows, table: this.#name })
    this.#known.set(grouping, columns)
    return columns
  }

  #grouped(selected: readonly Sql[], grouping: Grouping, conditions: readonly Condition[], keys: readonly Sql[]): Sql {
    const groups = keys.length === 0 ? sql`` : sql` group by ${sql.join(keys)}`
    const joins = reachedJoins(joinedKeys(grouping), this.#name)
    const where = this.#conditions.where(conditions, grouping.reached === undefined ? undefined : this.#name)
    return sql`select ${sql.join(selected)} from ${sql.table(this.#name)}${joins}${where}${groups}`
  }

  #ordered(order: readonly OrderedPlace[], at: (place: number) => Sql): Sql {
    if (order.length === 0) return sql``
    const keys = order.map(({ place, direction }) => {
      return sql`${at(place)} ${sql.raw(this.#engine.nullsLowest[direction === 'ASC' ? 'asc' : 'desc'])}`
    })
    return sql` order by ${sql.join(keys)}`
  }

  #groupConditions(columns: readonly GroupedColumn[]): ConditionSql {
    const own = columns.map(({ column }) => column)
    return new ConditionSql(GROUPS, own, this.#engine, false, () => {
      throw new TypeError('groups have no relations')
    })
  }
}

function shown({ isWide }: GroupedColumn, column: Sql): Sql {
  return isWide ? asText(column) : column
}

function renamed(condition: Condition, numbered: (name: string) => string): Condition {
  switch (condition.operator) {
    case 'any':
      return { ...condition, of: condition.of.map((set) => set.map((each) => renamed(each, numbered))) }
    case 'not':
      return { ...condition, of: condition.of.map((each) => renamed(each, numbered)) }
    case 'related':
    case 'search':
    case 'after':
      throw new TypeError(`groups have no condition ${condition.operator}`)
    default:
      return { ...condition, field: numbered(condition.field) }
  }
}
