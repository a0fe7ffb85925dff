/** What is said of rows together: measures of all, groups, and the distinct values of a field. */
import type { Condition, Group, Table } from 'svc-stores/table'
import type { FindScope } from '../criteria/find-scope.ts'
import { type ReachedFields, readGrouping, sharedField } from '../criteria/grouping.ts'
import { type ReadWhere, readMeasures } from '../criteria/measures.ts'
import { parseCriteria } from '../criteria/parse-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { rowValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { RepositoryCalls } from './repository-calls.ts'

export class GroupedRows {
  readonly #entity: CompiledEntity
  readonly #reads: () => Table<AnyRow>
  readonly #calls: RepositoryCalls
  readonly #scope: FindScope
  readonly #readWhere: ReadWhere

  /** @param reads the table, asked for each call: a replica may answer */
  constructor(entity: CompiledEntity, reads: () => Table<AnyRow>, calls: RepositoryCalls, scope: FindScope) {
    const { ids, entityOf, withDeleted } = scope
    this.#entity = entity
    this.#scope = scope
    this.#readWhere = (criteria) => parseCriteria(entity, criteria, ids, entityOf, withDeleted)
    this.#reads = reads
    this.#calls = calls
  }

  async aggregate(where: readonly Condition[], measures: unknown): Promise<never> {
    const grouping = { by: [], measures: readMeasures(this.#entity, measures, this.#readWhere) }
    const [all] = await this.#calls.run('aggregate', () => this.#reads().group(where, grouping), where, { grouping })
    return all as never
  }

  async groupBy(where: readonly Condition[], options: unknown): Promise<never[]> {
    const { grouping, reached } = readGrouping(this.#entity, options, this.#scope, this.#readWhere)
    const groups = await this.#calls.run('groupBy', () => this.#reads().group(where, grouping), where, { grouping })
    return (reached.size === 0 ? groups : groups.map((group) => withReached(group, reached))) as never[]
  }

  async distinct(where: readonly Condition[], field: string): Promise<never[]> {
    const grouping = { by: [sharedField(this.#entity, field)], measures: {} }
    const groups = await this.#calls.run('distinct', () => this.#reads().group(where, grouping), where, { grouping })
    return groups.map((group) => group[field] as never)
  }
}

/** The table knows the fields of its own rows alone. */
function withReached(group: Group, reached: ReachedFields): object {
  const values = [...reached].map(([name, field]) => [name, rowValueOf(field, group[name])] as const)
  return { ...group, ...Object.fromEntries(values) }
}
