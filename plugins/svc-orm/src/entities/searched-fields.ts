/**
 * Fields whose words are searched together. The words of each are in a column beside it, which is written with the field, so that
 * every database finds the same rows. Rows do not show it. Pure.
 */
import type { Problem } from 'svc-kernel'
import type { ColumnPlan, IndexPlan } from 'svc-stores/table'
import { snakeCase } from './compile-fields.ts'
import { type CompiledEntity, type CompiledField, isShown, type SearchedField } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'

export interface CompiledSearch {
  /** Absent: the entity has no search. */
  readonly search?: readonly SearchedField[]
  readonly problems: readonly Problem[]
}

export function compileSearch(
  definition: EntityDefinition,
  place: Placed,
  fields: ReadonlyMap<string, CompiledField>
): CompiledSearch {
  const { name, search: given, existing } = definition
  if (given === undefined) return { problems: [] }
  const search = given.map((each): SearchedField => {
    return typeof each === 'string' ? { field: each, weight: 1 } : { field: each.field, weight: each.weight ?? 1 }
  })
  const names = search.map(({ field }) => field)
  const faults = [
    ...(existing === undefined ? [] : ['needs columns that an existing table does not get']),
    ...names.flatMap((field, index) => (names.indexOf(field) < index ? [`names ${field} twice`] : [])),
    ...names.flatMap((field) => fieldFault(field, fields) ?? [])
  ]
  return {
    search,
    problems: faults.map((fault) =>
      entityProblem(place, 'SVC_ENTITY_SEARCH', `${name}: search ${fault}`, {
        expected: 'one to four text fields, neither lists nor sealed nor hidden',
        fix: 'correct search; npx svc docs search says what it takes'
      })
    )
  }
}

function fieldFault(name: string, fields: ReadonlyMap<string, CompiledField>): string | null {
  const field = fields.get(name)
  if (field === undefined) return `names ${name}, which is not a field`
  if (field.sealed !== undefined) return `names ${name}, which is sealed`
  if (!isShown(field)) return `names ${name}, which is hidden: its words would tell what it holds`
  if (field.array || !field.fieldType.can.search) return `names ${name}, which is no text`
  const taken = [...fields.keys()].find((each) => snakeCase(each) === snakeCase(wordsName(name)))
  return taken === undefined
    ? null
    : `names ${name}, and the name of the column of its words is that of the field ${taken}`
}

export function wordsName(field: string): string {
  return `${field}Words`
}

/** Their columns. One is null where its field is, and where it was never written. */
export function wordsColumns({
  search = [],
  fields
}: Pick<CompiledEntity, 'search' | 'fields'>): readonly ColumnPlan[] {
  return search.map(({ field }) => {
    const was = fields.get(field)?.was
    const former = was === undefined ? {} : { was: wordsName(was) }
    return { name: wordsName(field), type: 'words', nullable: true, folds: field, ...former }
  })
}

/** One of all columns in SQL; documents have one for each, as no index of theirs is over two lists. */
export function wordsIndexes({ search = [] }: Pick<CompiledEntity, 'search'>): readonly IndexPlan[] {
  if (search.length === 0) return []
  const columns = search.map(({ field }) => wordsName(field))
  return [
    { columns, method: 'words', on: 'sql' },
    ...columns.map((column): IndexPlan => ({ columns: [column], on: 'documents' }))
  ]
}
