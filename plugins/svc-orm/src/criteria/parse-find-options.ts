/** Checks the options of `find` against the entity and completes the order with `id`. Pure. */
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { fieldOf } from '../entity/field-of.ts'
import { InvalidFindOptions, UnknownRelation } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'
import type { ParsedFindOptions, SortKey } from './find-options.ts'

const KNOWN = ['limit', 'offset', 'order', 'relations', 'lock']
const BY_ID: readonly SortKey[] = [{ field: 'id', direction: 'ASC' }]
const ALL: ParsedFindOptions = { limit: null, offset: 0, order: BY_ID, relations: [], lock: false }

/** @throws InvalidFindOptions, UnknownCriteriaField, UnknownRelation */
export function parseFindOptions(entity: CompiledEntity, options: unknown): ParsedFindOptions {
  if (options === undefined) return ALL
  if (!isRecord(options)) throw new InvalidFindOptions('options', 'an object')
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${KNOWN.join(', ')}`)
  const { limit, offset, order, relations, lock } = options
  if (lock !== undefined && lock !== 'update') throw new InvalidFindOptions('lock', '"update"')
  return {
    limit: limit === undefined ? null : readCount('limit', limit),
    offset: offset === undefined ? 0 : readCount('offset', offset),
    order: order === undefined ? BY_ID : readOrder(entity, order),
    relations: relations === undefined ? [] : readRelations(entity, relations),
    lock: lock === 'update'
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
    throw new InvalidFindOptions('order', 'a list in which each field stands once')
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
