/** How rows are grouped, as an application writes it, read into the grouping of the storage port. Pure. */
import { type Grouping, isRecord, type ReachedValue, type SortKey, type TimePart } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { FieldName } from './criteria.ts'
import { fieldOf } from './entity-field.ts'
import type { Direction, ReachedName, ReachedType } from './find-options.ts'
import type { FindScope } from './find-scope.ts'
import { type Having, readHaving } from './having.ts'
import { type Aggregates, type ReadWhere, readMeasures } from './measures.ts'
import { reach } from './reached-field.ts'
import { type GroupedTime, readTimePart, type TimeName, type TimeText } from './time-parts.ts'

/** A key of a group: a field, `customer.country` of a related row, or a part of a date such as its month. */
export type GroupKey<Row> = FieldName<Row> | ReachedName<Row> | GroupedTime<Row>

/** The name of a key in the result. */
type KeyName<Key> = Key extends string ? Key : TimeName<Key>

type NamesOf<By> = By extends readonly (infer Key)[] ? KeyName<Key> : never

/** Keys, measures, order and limit of groups. */
export interface GroupOptions<By, M, Row = AnyRow> {
  /**
   * The keys: fields, fields of related rows, or parts of dates. Null is a value like any other; a missing related row
   * counts as null.
   */
  readonly by: By
  readonly measures?: M
  /** Criteria of the groups, by key or measure: `{ total: { $gt: '100' } }`. */
  readonly having?: Having<Grouped<Row, NoInfer<By>, NoInfer<M>>>
  /** Keys and measures to sort by. Default: the keys, in the order of `by`. */
  readonly order?: readonly (readonly [name: NamesOf<By> | keyof M, Direction])[]
  /** The maximum number of groups. Default: all. */
  readonly limit?: number
}

type TimeTexts<Row, Parts> = string extends keyof Row
  ? unknown
  : { -readonly [Part in Parts as TimeName<Part>]: TimeText<Row, Part> }

type ReachedValues<Row, Key> = string extends keyof Row
  ? unknown
  : { -readonly [Name in Extract<Key, ReachedName<Row>>]: ReachedType<Row, Name> }

/** A group: its keys and its measures. */
export type Grouped<Row, By, M> = (By extends readonly (infer Key)[]
  ? Pick<Row, Extract<Key, keyof Row>> & ReachedValues<Row, Key> & TimeTexts<Row, Exclude<Key, string>>
  : never) &
  Aggregates<Row, M>

const KNOWN = ['by', 'measures', 'having', 'order', 'limit']

/** Fields of related rows, by the name of their key. */
export type ReachedFields = ReadonlyMap<string, CompiledField>

export interface ReadGrouping {
  readonly grouping: Grouping
  readonly reached: ReachedFields
}

/** @throws InvalidFindOptions, UnknownCriteriaField, InvalidCriteria */
export function readGrouping(
  entity: CompiledEntity,
  given: unknown,
  scope: FindScope,
  readWhere: ReadWhere
): ReadGrouping {
  if (!isRecord(given)) throw new InvalidFindOptions('options', 'an object')
  const unknown = Object.keys(given).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${KNOWN.join(', ')}`)
  const { by, measures = {}, having, order = [], limit } = given
  if (!Array.isArray(by)) throw new InvalidFindOptions('by', 'a list of names of fields')
  const parts: Record<string, TimePart> = {}
  const reached = new Map<string, CompiledField>()
  const values: Record<string, ReachedValue> = {}
  const named = Array.from(by as unknown[], (key) => {
    if (!isRecord(key)) {
      const name = String(key)
      const { field, steps } = reach(entity, name, scope, 'by')
      assertShared(field, name)
      if (steps.length === 0) return name
      reached.set(name, field)
      values[name] = { kind: 'reached', steps, column: field.name }
      return name
    }
    const [name, part] = readTimePart(entity, key)
    if (Object.hasOwn(parts, name)) throw new InvalidFindOptions(`by ${name}`, 'a name of its own (as) for each part')
    parts[name] = part
    return name
  })
  const shared = [...new Set(named)]
  const twice = Object.keys(parts).find((name) => named.filter((each) => each === name).length > 1)
  if (twice !== undefined) throw new InvalidFindOptions(`by ${twice}`, 'a name (as) that differs from the fields in by')
  const measured = readMeasures(entity, measures, readWhere)
  const taken = shared.find((name) => Object.hasOwn(measured, name))
  if (taken !== undefined) throw new InvalidFindOptions(`measures.${taken}`, 'a name that differs from the names in by')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) > 0)) {
    throw new InvalidFindOptions('limit', 'an integer of at least 1')
  }
  const grouping: Grouping = {
    by: shared,
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(reached.size > 0 && { reached: values }),
    measures: measured,
    order: readOrder(order, [...shared, ...Object.keys(measured)]),
    ...(limit !== undefined && { limit: limit as number })
  }
  if (having === undefined) return { grouping, reached }
  return { grouping: { ...grouping, having: readHaving(entity, having, grouping, reached, scope.ids) }, reached }
}

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function sharedField(entity: CompiledEntity, name: string): string {
  assertShared(fieldOf(entity, name), name)
  return name
}

function assertShared({ array, fieldType }: CompiledField, name: string): void {
  if (!array && fieldType.can.compare) return
  throw new InvalidFindOptions(name, 'a field that holds one value, and neither json nor bytes')
}

function readOrder(given: unknown, names: readonly string[]): readonly SortKey[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('order', 'a list of [name, direction] pairs')
  const keys = Array.from(given as unknown[], (pair): SortKey => {
    const [field, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof field !== 'string' || !names.includes(field)) {
      throw new InvalidFindOptions('order', `pairs of one of ${names.join(', ')}, and a direction`)
    }
    if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidFindOptions(`order of ${field}`, 'ASC or DESC')
    return { field, direction }
  })
  if (new Set(keys.map(({ field }) => field)).size < keys.length) {
    throw new InvalidFindOptions('order', 'a list without repeated names')
  }
  return keys
}
