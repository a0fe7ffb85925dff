/** Options of `find`, checked: a selection of the storage port whose order ends with `id`, and the relations to load. Pure. */
import {
  type Condition,
  type IdForm,
  isRecord,
  ROW_LOCKS,
  type RowLock,
  type Selection,
  type SortKey
} from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, UnknownRelation } from '../errors.ts'
import { fieldOf } from './field-criteria.ts'
import type { ReadCache } from './find-options.ts'
import { type EntityLookup, parseCriteria } from './parse-criteria.ts'
import { presentRows } from './presence.ts'

/** A relation to load, and what of it. */
export interface Inclusion {
  readonly relation: CompiledRelation
  readonly where: readonly Condition[]
  readonly selection: Selection<AnyRow>
  readonly shape: RowShape
}

export interface RowShape {
  readonly include: readonly Inclusion[]
  /** Fields that were read to find relations, and were not asked for. */
  readonly unasked: readonly string[]
}

export interface ParsedFindOptions {
  readonly selection: Selection<AnyRow>
  readonly shape: RowShape
}

export interface FindScope {
  readonly ids: IdForm
  readonly entityOf: EntityLookup
  /** Of entities with `softDelete`. */
  readonly withDeleted: boolean
}

const KNOWN = ['limit', 'offset', 'order', 'relations', 'include', 'select', 'lock']
const READ_CACHES: readonly ReadCache[] = ['request', 'refresh']
const KNOWN_OF_RELATIONS = ['where', 'order', 'include', 'select']
/** Levels of relations: entities that refer to each other have no end. */
const MAX_DEPTH = 10
/** What decides between rows that an order leaves level. */
export const TIES: Readonly<Record<SortKey['direction'], SortKey>> = {
  ASC: { field: 'id', direction: 'ASC' },
  DESC: { field: 'id', direction: 'DESC' }
}
const NONE: readonly string[] = []
const BY_ID: readonly SortKey[] = [TIES.ASC]
const AS_IT_IS: RowShape = Object.freeze({ include: [], unasked: [] })
const ALL: ParsedFindOptions = Object.freeze({ selection: Object.freeze({ order: BY_ID }), shape: AS_IT_IS })

/**
 * @param walked rows are read one page after the other: where a page ends is told by the columns of the order, which are
 * read in any case, and never null
 * @throws InvalidFindOptions, UnknownCriteriaField, UnknownRelation, InvalidCriteria
 */
export function parseFindOptions(
  entity: CompiledEntity,
  options: unknown,
  scope: FindScope,
  walked = false
): ParsedFindOptions {
  if (options === undefined) return entity.part === undefined ? ALL : parseFindOptions(entity, {}, scope, walked)
  const { limit, offset, order, relations = [], lock, ...shape } = recordOf(options, KNOWN)
  const listed = readRelations(entity, relations)
  const given = isRecord(shape.include) ? shape.include : {}
  const include = shape.include === undefined || isRecord(shape.include) ? { ...listed, ...given } : shape.include
  const keys = order === undefined ? BY_ID : readOrder(entity, order, walked)
  const read = readShape(entity, { ...shape, include }, scope, walked ? namesOf(entity, keys) : [], 0)
  return {
    selection: {
      ...(limit !== undefined && { limit: readCount('limit', limit) }),
      ...(offset !== undefined && { offset: readCount('offset', offset) }),
      order: keys,
      ...(lock !== undefined && { lock: readLock(lock) }),
      ...read.columns
    },
    shape: read.shape
  }
}

/** @param needed fields that are read in any case @param depth of the relation */
function readShape(
  entity: CompiledEntity,
  { select, include }: Readonly<Record<string, unknown>>,
  scope: FindScope,
  needed: readonly string[],
  depth: number
): { readonly columns: Pick<Selection<AnyRow>, 'without'>; readonly shape: RowShape } {
  const inclusions = readInclude(entity, include, scope, depth)
  const hidden = entity.part?.without ?? NONE
  if (select === undefined)
    return {
      columns: hidden.length === 0 ? {} : { without: hidden },
      shape: inclusions.length === 0 ? AS_IT_IS : { include: inclusions, unasked: [] }
    }
  const asked = new Set(['id', ...readSelect(entity, select)])
  const own = inclusions.map(({ relation }) => relation).filter(({ type }) => type !== 'one-to-many')
  const unasked = [...new Set([...needed, ...own.map(({ field }) => field)])].filter((name) => !asked.has(name))
  const unread = [...entity.fields.keys()].filter((name) => !asked.has(name) && !unasked.includes(name))
  const without = hidden.length === 0 ? unread : [...unread, ...hidden]
  return { columns: { without }, shape: { include: inclusions, unasked } }
}

function readInclude(entity: CompiledEntity, given: unknown, scope: FindScope, depth: number): readonly Inclusion[] {
  if (given === undefined) return []
  if (!isRecord(given)) throw new InvalidFindOptions('include', 'an object with true, or options, per relation')
  if (depth === MAX_DEPTH) throw new InvalidFindOptions('include', `relations at most ${MAX_DEPTH} deep`)
  return Object.entries(given)
    .filter(([, options]) => options !== undefined)
    .map(([name, options]) => readInclusion(relationOf(entity, name), options, scope, depth))
}

function readInclusion(relation: CompiledRelation, given: unknown, scope: FindScope, depth: number): Inclusion {
  const target = scope.entityOf(relation.target)
  const { where = {}, order, ...shape } = given === true ? {} : recordOf(given, KNOWN_OF_RELATIONS, relation.name)
  const needed = relation.type === 'one-to-many' ? [relation.field] : []
  const read = readShape(target, shape, scope, needed, depth + 1)
  return {
    relation,
    where: [
      ...parseCriteria(target, where, scope.ids, scope.entityOf, scope.withDeleted),
      ...(scope.withDeleted ? [] : presentRows(target))
    ],
    selection: { ...(order !== undefined && { order: readOrder(target, order) }), ...read.columns },
    shape: read.shape
  }
}

function recordOf(given: unknown, known: readonly string[], of = 'options'): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) throw new InvalidFindOptions(of, of === 'options' ? 'an object' : 'true, or an object')
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${known.join(', ')}`)
  return given
}

function readSelect(entity: CompiledEntity, given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('select', 'a list of names of fields')
  return Array.from(given as unknown[], (name) => fieldOf(entity, String(name)).name)
}

function namesOf(entity: CompiledEntity, order: readonly SortKey[]): readonly string[] {
  return order.map(({ field }) => {
    if (!fieldOf(entity, field).nullable) return field
    throw new InvalidFindOptions(`order of ${field}`, 'a field that is never null, because it orders the pages')
  })
}

function readCount(name: string, given: unknown): number {
  if (Number.isSafeInteger(given) && (given as number) >= 0) return given as number
  throw new InvalidFindOptions(name, 'an integer of at least 0')
}

/** @param given the options beside it @throws InvalidFindOptions */
export function readCache(cache: unknown, given: object): ReadCache {
  const mode = READ_CACHES.find((each) => each === cache)
  if (mode === undefined) throw new InvalidFindOptions('cache', `one of ${READ_CACHES.join(', ')}`)
  const other = Object.keys(given).find((name) => name !== 'relations' && name !== 'include')
  if (other !== undefined) throw new InvalidFindOptions(other, 'no such option together with cache')
  return mode
}

function readLock(given: unknown): RowLock {
  const lock = ROW_LOCKS.find((each) => each === given)
  if (lock === undefined) throw new InvalidFindOptions('lock', `one of ${ROW_LOCKS.join(', ')}`)
  return lock
}

/** Ends with `id`. @param walked in the direction of the last key, so that an index has the whole order, and each page begins within it */
function readOrder(entity: CompiledEntity, given: unknown, walked = false): readonly SortKey[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('order', 'a list of [field, direction] pairs')
  const keys = Array.from(given as unknown[], (pair) => readKey(entity, pair))
  const names = keys.map(({ field }) => field)
  if (new Set(names).size < names.length) {
    throw new InvalidFindOptions('order', 'a list without repeated fields')
  }
  return names.includes('id') ? keys : [...keys, TIES[(walked && keys.at(-1)?.direction) || 'ASC']]
}

function readKey(entity: CompiledEntity, pair: unknown): SortKey {
  const [name, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
  if (typeof name !== 'string') throw new InvalidFindOptions('order', 'a list of [field, direction] pairs')
  const field = fieldOf(entity, name)
  if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidFindOptions(`order of ${name}`, 'ASC or DESC')
  if (field.array || field.sealed !== undefined || !field.fieldType.can.compare) {
    throw new InvalidFindOptions(`order of ${name}`, 'a field whose values have an order')
  }
  return { field: name, direction }
}

function readRelations(entity: CompiledEntity, given: unknown): Readonly<Record<string, true>> {
  if (!Array.isArray(given)) throw new InvalidFindOptions('relations', 'a list of names')
  return Object.fromEntries(Array.from(given as unknown[], (name) => [relationOf(entity, String(name)).name, true]))
}

function relationOf(entity: CompiledEntity, name: string): CompiledRelation {
  const relation = entity.relations.get(name)
  if (relation !== undefined) return relation
  throw new UnknownRelation(name, entity.name, [...entity.relations.keys()].join(', ') || 'none')
}
