/** Options of `find`, checked: a selection of the storage port whose order ends with `id`, and the relations to load. Pure. */
import {
  type Condition,
  isCarried,
  isRecord,
  ROW_LOCKS,
  type RowLock,
  type Selection,
  type SortKey
} from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, UnknownRelation } from '../errors.ts'
import type { ReadCache } from './find-options.ts'
import type { FindScope } from './find-scope.ts'
import { parseFound } from './parse-criteria.ts'
import { readCounts } from './read-counts.ts'
import { readOrder, TIES } from './read-order.ts'
import { assertTotalled, fieldsOfRunning, readRelatedRunning, readRunning } from './read-running.ts'
import { readSelect } from './read-select.ts'
import type { Inclusion, RowShape } from './row-shape.ts'
import { RANK, searchedScope } from './search-criteria.ts'

export interface ParsedFindOptions {
  readonly selection: Selection<AnyRow>
  readonly shape: RowShape
}

const KNOWN = ['limit', 'offset', 'order', 'relations', 'include', 'select', 'counts', 'running', 'lock']
const READ_CACHES: readonly ReadCache[] = ['request', 'refresh']
const KNOWN_OF_RELATIONS = ['where', 'order', 'limit', 'include', 'select', 'counts', 'running']
/** Levels of relations: entities that refer to each other have no end. */
const MAX_DEPTH = 10
const NONE: readonly string[] = []
const BY_ID: readonly SortKey[] = [TIES.ASC]
const AS_IT_IS: RowShape = Object.freeze({ include: [], counts: [], running: [], unasked: [] })
const ALL: ParsedFindOptions = Object.freeze({ selection: Object.freeze({ order: BY_ID }), shape: AS_IT_IS })

export interface FindUse {
  /**
   * Rows are read one page after the other: where a page ends is told by the columns of the order, which are read in any
   * case, and never null.
   */
  readonly walked: boolean
  /** Rows may be locked: a transaction is open. */
  readonly locks: boolean
}

/** @throws InvalidFindOptions, UnknownCriteriaField, UnknownRelation, InvalidCriteria */
export function parseFindOptions(
  entity: CompiledEntity,
  options: unknown,
  scope: FindScope,
  { walked, locks }: FindUse
): ParsedFindOptions {
  if (options === undefined) {
    return entity.part === undefined ? ALL : parseFindOptions(entity, {}, scope, { walked, locks })
  }
  const asked = recordOf(options, KNOWN)
  if (entity.part === undefined && Object.keys(asked).length === 0) return ALL
  const { limit, offset, order, relations = [], lock, ...shape } = asked
  const listed = readRelations(entity, relations)
  const given = isRecord(shape.include) ? shape.include : {}
  const include = shape.include === undefined || isRecord(shape.include) ? { ...listed, ...given } : shape.include
  const keys = order === undefined ? BY_ID : readOrder(entity, order, scope, walked)
  const own = keys.filter(({ by }) => by === undefined).map(({ field }) => field)
  const running = readRunning(entity, shape.running)
  if (running.length > 0) assertTotalled(entity, keys)
  const needed = [...(walked ? own : []), ...fieldsOfRunning(running, keys)]
  const read = readShape(entity, { ...shape, include }, scope, needed, 0)
  return {
    selection: {
      ...(limit !== undefined && { limit: readCount('limit', limit) }),
      ...(offset !== undefined && { offset: readCount('offset', offset) }),
      order: keys,
      ...(lock !== undefined && { lock: readLock(lock, keys, locks) }),
      ...read.columns
    },
    shape: withoutCarried({ ...read, shape: { ...read.shape, running } }, keys)
  }
}

/** What orders rows comes with them, and is none of their fields; their rank may be selected. @throws InvalidFindOptions */
function withoutCarried({ shape, rank }: ReadShape, order: readonly SortKey[]): RowShape {
  const carried = order.filter(isCarried).map(({ field }) => field)
  if (rank && !carried.includes(RANK)) throw new InvalidFindOptions(`select of ${RANK}`, `an order with ${RANK}`)
  const names = rank ? carried.filter((name) => name !== RANK) : carried
  return names.length === 0 ? shape : { ...shape, unasked: [...shape.unasked, ...names] }
}

interface ReadShape {
  readonly columns: Pick<Selection<AnyRow>, 'without'>
  readonly shape: RowShape
  /** `$rank` is selected. */
  readonly rank: boolean
}

/** @param needed fields that are read in any case @param depth of the relation */
function readShape(
  entity: CompiledEntity,
  { select, include, counts }: Readonly<Record<string, unknown>>,
  scope: FindScope,
  needed: readonly string[],
  depth: number
): ReadShape {
  const selected = readSelect(entity, select, include)
  const inclusions = readInclude(entity, selected.include, scope, depth)
  const counted = readCounts(
    entity,
    counts,
    (name) => relationOf(entity, name),
    (relation, where) => relatedRows(relation, where, scope)
  )
  const hidden = entity.part?.without ?? NONE
  if (selected.own === null) {
    const isWhole = inclusions.length === 0 && counted.length === 0
    return {
      columns: hidden.length === 0 ? {} : { without: hidden },
      shape: isWhole ? AS_IT_IS : { include: inclusions, counts: counted, running: [], unasked: [] },
      rank: false
    }
  }
  const asked = new Set(['id', ...selected.own])
  const own = inclusions.map(({ relation }) => relation).filter(({ type }) => type !== 'one-to-many')
  const unasked = [...new Set([...needed, ...own.map(({ field }) => field)])].filter((name) => !asked.has(name))
  const unread = [...entity.fields.keys()].filter((name) => !asked.has(name) && !unasked.includes(name))
  const without = hidden.length === 0 ? unread : [...unread, ...hidden]
  const read = { include: inclusions, counts: counted, running: [], unasked }
  return { columns: { without }, shape: read, rank: selected.rank }
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
  const {
    where = {},
    order,
    limit,
    ...shape
  } = given === true ? {} : recordOf(given, KNOWN_OF_RELATIONS, relation.name)
  const running = readRelatedRunning(relation, readRunning(target, shape.running), limit !== undefined)
  const needed = relation.type === 'one-to-many' ? [relation.field, ...fieldsOfRunning(running, [])] : []
  const read = readShape(target, shape, scope, needed, depth + 1)
  const conditions = relatedRows(relation, where, scope)
  const { words: _, ...others } = scope
  const keys = order === undefined ? [] : readOrder(target, order, searchedScope(others, target, conditions))
  if (limit !== undefined && keys.some(isCarried)) {
    throw new InvalidFindOptions(`order of ${relation.name}`, 'fields of its own rows, where limit bounds them')
  }
  return {
    relation,
    where: conditions,
    ...(limit !== undefined && { limit: readLimit(relation, limit) }),
    selection: { ...(order !== undefined && { order: keys }), ...read.columns },
    shape: withoutCarried({ ...read, shape: { ...read.shape, running } }, keys)
  }
}

/** Rows that a relation reaches, of those that meet the criteria. */
function relatedRows({ target: name }: CompiledRelation, where: unknown, scope: FindScope): readonly Condition[] {
  return parseFound(scope.entityOf(name), where, scope)
}

function readLimit({ name, type }: CompiledRelation, given: unknown): number {
  if (type !== 'one-to-many') throw new InvalidFindOptions(`limit of ${name}`, 'no limit: one row is referred to')
  if (Number.isSafeInteger(given) && (given as number) >= 1) return given as number
  throw new InvalidFindOptions(`limit of ${name}`, 'an integer of at least 1')
}

function recordOf(given: unknown, known: readonly string[], of = 'options'): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) throw new InvalidFindOptions(of, of === 'options' ? 'an object' : 'true, or an object')
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${known.join(', ')}`)
  return given
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

function readLock(given: unknown, order: readonly SortKey[], locks: boolean): RowLock {
  const lock = ROW_LOCKS.find((each) => each === given)
  if (lock === undefined) throw new InvalidFindOptions('lock', `one of ${ROW_LOCKS.join(', ')}`)
  if (order.some(isCarried))
    throw new InvalidFindOptions('lock', 'an order by fields of the row itself, where rows are locked')
  if (locks) return lock
  throw new InvalidFindOptions('lock', 'a lock inside a transaction, because it lasts until the transaction ends')
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
