/** Options of `find`: as an application writes them, and after the parser, whose order ends with `id`. Pure. */
import { isRecord, type Selection, type SortKey } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, UnknownRelation } from '../errors.ts'
import type { FieldName } from './criteria.ts'
import { fieldOf } from './parse-criteria.ts'

export type Direction = 'ASC' | 'DESC'

export interface FindOptions<Row> {
  /** At most so many rows; default all. */
  readonly limit?: number
  /** Rows left out first. Default 0. */
  readonly offset?: number
  /** Null sorts lowest, text by code point; ties, and rows without an order, by `id` ascending. */
  readonly order?: readonly (readonly [field: FieldName<Row>, direction: Direction])[]
  /**
   * Inside a transaction: the rows stay as they are read until it ends. Whoever else locks or changes them waits, or
   * one of the two runs again.
   */
  readonly lock?: 'update'
  /** Relations to load, one level deep. */
  readonly relations?: readonly (string extends keyof Row ? string : Exclude<keyof Row & string, FieldName<Row>>)[]
}

/** Parsed: a selection of the storage port, and the relations to load. */
export interface ParsedFindOptions {
  readonly selection: Selection<AnyRow>
  readonly relations: readonly string[]
}

const KNOWN = ['limit', 'offset', 'order', 'relations', 'lock']
const BY_ID: readonly SortKey[] = [{ field: 'id', direction: 'ASC' }]
const ALL: ParsedFindOptions = Object.freeze({ selection: Object.freeze({ order: BY_ID }), relations: [] })

/** @throws InvalidFindOptions, UnknownCriteriaField, UnknownRelation */
export function parseFindOptions(entity: CompiledEntity, options: unknown): ParsedFindOptions {
  if (options === undefined) return ALL
  if (!isRecord(options)) throw new InvalidFindOptions('options', 'an object')
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${KNOWN.join(', ')}`)
  const { limit, offset, order, relations, lock } = options
  if (lock !== undefined && lock !== 'update') throw new InvalidFindOptions('lock', '"update"')
  return {
    selection: {
      ...(limit !== undefined && { limit: readCount('limit', limit) }),
      ...(offset !== undefined && { offset: readCount('offset', offset) }),
      order: order === undefined ? BY_ID : readOrder(entity, order),
      ...(lock === 'update' && { lock: true })
    },
    relations: relations === undefined ? [] : readRelations(entity, relations)
  }
}

function readCount(name: string, given: unknown): number {
  if (Number.isSafeInteger(given) && (given as number) >= 0) return given as number
  throw new InvalidFindOptions(name, 'an integer of at least 0')
}

function readOrder(entity: CompiledEntity, given: unknown): readonly SortKey[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('order', 'a list of [field, direction] pairs')
  const keys = Array.from(given as unknown[], (pair) => readKey(entity, pair))
  const names = keys.map(({ field }) => field)
  if (new Set(names).size < names.length) {
    throw new InvalidFindOptions('order', 'a list in which each field comes once')
  }
  return names.includes('id') ? keys : [...keys, ...BY_ID]
}

function readKey(entity: CompiledEntity, pair: unknown): SortKey {
  const [name, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
  if (typeof name !== 'string') throw new InvalidFindOptions('order', 'a list of [field, direction] pairs')
  const field = fieldOf(entity, name)
  if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidFindOptions(`order of ${name}`, 'ASC or DESC')
  if (field.array || field.type === 'json') {
    throw new InvalidFindOptions(`order of ${name}`, 'a field whose values have an order')
  }
  return { field: name, direction }
}

function readRelations(entity: CompiledEntity, given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('relations', 'a list of names')
  const names = [...new Set(Array.from(given as unknown[], String))]
  const unknown = names.find((name) => !entity.relations.has(name))
  if (unknown === undefined) return names
  throw new UnknownRelation(unknown, entity.name, [...entity.relations.keys()].join(', ') || 'none')
}
