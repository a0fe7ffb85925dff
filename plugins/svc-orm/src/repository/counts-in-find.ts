/** Numbers of related rows that a database counts while it finds the rows, in place of statements of their own. Pure. */
import type { CountedRows, RelatedCondition } from 'svc-stores/table'
import type { ParsedFindOptions } from '../criteria/parse-find-options.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { RepositoryHost } from './repository-host.ts'

/**
 * The same options where the database has no such way, where rows are locked, or ordered by what is not their own, and where
 * no index leads from a row to those that belong to it.
 */
export function countsInFind(
  parsed: ParsedFindOptions,
  { database, scopes }: Pick<RepositoryHost, 'database' | 'scopes'>,
  entityOf: (name: string) => CompiledEntity
): ParsedFindOptions {
  const { selection, shape } = parsed
  const { order = [], lock } = selection
  if (shape.counts.length === 0 || database.countsInFind !== true) return parsed
  if (lock !== undefined || order.some(({ by }) => by !== undefined)) return parsed
  const targets = shape.counts.map(({ relation }) => entityOf(relation.target))
  // Indexes of such an entity begin with its scope, which is not asked for across scopes.
  const isFound = ({ existing, scope }: CompiledEntity) =>
    existing === undefined && (scope === undefined || !scopes.callers.isAcross)
  if (!targets.every(isFound)) return parsed
  const counted = shape.counts.map(({ name, relation, where }, place): CountedRows => {
    const table = entityPlan(targets[place] as CompiledEntity)
    const rows: RelatedCondition = { operator: 'related', field: 'id', table, column: relation.field, of: where }
    return { name, rows }
  })
  return { selection: { ...selection, counted }, shape: { ...shape, counts: [] } }
}
