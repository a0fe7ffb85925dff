/** What is said of rows together: measures of all, groups, and the distinct values of a field. */
import type { Condition, Table } from 'svc-stores/table'
import { readGrouping, readMeasures, sharedField } from '../criteria/grouping.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { RepositoryCalls } from './repository-calls.ts'

export class GroupedRows {
  readonly #entity: CompiledEntity
  readonly #table: Table<AnyRow>
  readonly #calls: RepositoryCalls

  constructor(entity: CompiledEntity, table: Table<AnyRow>, calls: RepositoryCalls) {
    this.#entity = entity
    this.#table = table
    this.#calls = calls
  }

  async aggregate(where: readonly Condition[], measures: unknown): Promise<never> {
    const grouping = { by: [], measures: readMeasures(this.#entity, measures) }
    const [all] = await this.#calls.run('aggregate', () => this.#table.group(where, grouping), where)
    return all as never
  }

  async groupBy(where: readonly Condition[], options: unknown): Promise<never[]> {
    const grouping = readGrouping(this.#entity, options)
    return (await this.#calls.run('groupBy', () => this.#table.group(where, grouping), where)) as never[]
  }

  async distinct(where: readonly Condition[], field: string): Promise<never[]> {
    const grouping = { by: [sharedField(this.#entity, field)], measures: {} }
    const groups = await this.#calls.run('distinct', () => this.#table.group(where, grouping), where)
    return groups.map((group) => group[field] as never)
  }
}
