/**
 * What a REST controller of an entity is made of: route settings for its six
 * routes, pages of rows, and the 404 of a row that is not there. The controller
 * itself stays a class that says what it does.
 */
import type { Changes } from '../criteria/changes.ts'
import type { Direction } from '../criteria/find-options.ts'
import { compileFields } from '../entities/compile-fields.ts'
import { type CompiledField, isShown } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import { keyFields } from '../entities/entity-key.ts'
import { isReadOnly } from '../entities/existing-table.ts'
import type { HiddenOf, NewOf, RowOf } from '../entities/row-of.ts'
import { ReadOnlyEntity, RowNotFound, UnknownCriteriaField } from '../errors.ts'
import { type CrudRoutes, crudRoutes, DEFAULT_LIMIT, MAX_LIMIT } from './crud-routes.ts'

/** The query of a list, validated by `routes.list`: paging, and a filter for each other key. */
export interface CrudQuery {
  readonly limit?: number
  readonly offset?: number
  /** `field:ASC` or `field:DESC`, the most significant first. */
  readonly order?: readonly string[]
  readonly [filter: string]: unknown
}

/** What a page needs of a repository, whatever the type of its rows; it checks what it is given. */
interface ListedRows<Row> {
  shown(): {
    find(criteria: object, options: object): Promise<unknown[]>
    count(criteria: object): Promise<number>
  }
  /** Tells the type of a row, which that of `find` hangs on its options. */
  findOneAndDelete(criteria: object): Promise<Row | null>
}

/** The response of the list route of `crud()`. */
export interface Page<Row> {
  readonly items: readonly Row[]
  /** The limit that was applied, 1 to 100. */
  readonly limit: number
  readonly offset: number
  readonly hasNext: boolean
  /** The number of matching rows on all pages. */
  readonly total: number
}

/** @typeParam Filled fields that the server fills in */
export interface Crud<D extends EntityDefinition, Filled extends string = never> {
  readonly routes: CrudRoutes
  /**
   * The page for a query. Rows have no hidden fields.
   *
   * @throws InvalidFindOptions for a field that sorts twice, UnknownCriteriaField for one that is hidden
   */
  page<Row>(rows: ListedRows<Row>, query: CrudQuery): Promise<Page<Row>>
  /** The row, unless there is none. @throws RowNotFound (404) */
  found<Row>(row: Row | null): Row
  /** The values of a whole row as changes: a missing field gets its default, or null. The key, filled and hidden fields do not change. */
  whole(values: Omit<NewOf<D>, Filled | HiddenOf<D>>): Changes<RowOf<D>>
}

/** Options of `crud()`. */
export interface CrudOptions<Filled> {
  /** Fields that the server fills in, such as an owner: responses and filters have them, bodies must not. */
  readonly filled?: readonly Filled[]
}

/**
 * @param definition as `defineEntity` gives it; what is wrong with it is reported when the application boots
 * @throws UnknownCriteriaField for a filled field that the entity does not have
 */
export function crud<const D extends EntityDefinition, const Filled extends keyof NewOf<D> & string = never>(
  definition: D,
  { filled = [] }: CrudOptions<Filled> = {}
): Crud<D, Filled> {
  const compiled = compileFields(definition, { place: null }).fields
  const unknown = filled.find((name) => !compiled.has(name))
  if (unknown !== undefined) throw new UnknownCriteriaField(unknown, definition.name, [...compiled.keys()].join(', '))
  // Rows that are marked as deleted are answered to nobody.
  const fields = [...compiled.values()].filter(({ name }) => name !== 'deletedAt' || definition.softDelete !== true)
  const kept = keyFields(definition) ?? []
  const isReplaced = (field: CompiledField) =>
    !field.managed && isShown(field) && ![...filled, ...kept].some((each) => each === field.name)
  const refusals = isReadOnly(definition) ? [new ReadOnlyEntity(definition.name)] : []
  const blank = Object.fromEntries(fields.filter(isReplaced).map((field) => [field.name, field.default ?? null]))
  return Object.freeze<Crud<D, Filled>>({
    routes: crudRoutes(definition.name, fields, filled, { refusals, refers: refersToRows(definition), kept }),
    async page(rows, query) {
      const { limit: asked = DEFAULT_LIMIT, offset = 0, order = [], ...filters } = query
      const limit = Math.min(Math.max(asked, 1), MAX_LIMIT)
      const criteria = criteriaOf(filters)
      const options = { limit, offset, order: order.map(sortKey) }
      // What a hidden field is equal to, or comes before, tells it in the end.
      const shown = rows.shown()
      const [items, total] = await Promise.all([shown.find(criteria, options), shown.count(criteria)])
      return { items: items as never[], limit, offset, hasNext: offset + items.length < total, total }
    },
    found(row) {
      if (row === null) throw new RowNotFound(definition.name)
      return row
    },
    whole(values) {
      const given = Object.entries(values).filter(([name]) => !kept.includes(name))
      return { ...blank, ...Object.fromEntries(given) } as Changes<RowOf<D>>
    }
  })
}

/** A write of it may name a row that does not exist. */
function refersToRows({ relations = {}, existing }: EntityDefinition): boolean {
  const kept = Object.values(relations).filter(({ type, onDelete }) => type !== 'one-to-many' && onDelete !== 'none')
  return kept.length > 0 && existing === undefined
}

/** A value of a request is a value, never operators. */
function criteriaOf(filters: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, { $eq: value }]))
}

function sortKey(key: string): readonly [field: string, direction: Direction] {
  const colon = key.lastIndexOf(':')
  return [key.slice(0, colon), key.slice(colon + 1) === 'DESC' ? 'DESC' : 'ASC']
}
