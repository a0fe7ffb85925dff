/** `running`: totals so far, by name: `{ paid: { sum: 'amount', by: ['orderId'] } }`. Pure. */
import { isRecord, type SortKey } from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import { fieldOf } from './entity-field.ts'
import { sharedField } from './grouping.ts'
import type { RunningTotal } from './row-shape.ts'

const NONE: readonly RunningTotal[] = []
const NAME = /^[A-Za-z]\w{0,59}$/
const KNOWN = ['sum', 'by', 'from']

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function readRunning(entity: CompiledEntity, given: unknown): readonly RunningTotal[] {
  if (given === undefined) return NONE
  if (!isRecord(given)) throw new InvalidFindOptions('running', 'an object with a total per name')
  if (entity.fields.has('running') || entity.relations.has('running')) {
    throw new InvalidFindOptions('running', `an entity without a field or relation of that name, unlike ${entity.name}`)
  }
  return Object.entries(given).map(([name, total]) => {
    if (!NAME.test(name)) throw new InvalidFindOptions(`running.${name}`, 'a name of letters, digits and _')
    return readTotal(entity, name, total)
  })
}

/** The fields that totals are computed of. */
export function fieldsOfRunning(running: readonly RunningTotal[], order: readonly SortKey[]): readonly string[] {
  if (running.length === 0) return []
  const own = order.filter(({ by }) => by === undefined).map(({ field }) => field)
  return [...own, ...running.flatMap(({ field, by }) => [field.name, ...by])]
}

/** Where a page begins or ends within the rows is told by the order. @throws InvalidFindOptions */
export function assertTotalled(entity: CompiledEntity, order: readonly SortKey[]): void {
  const isOwn = ({ field, by }: SortKey) => by === undefined && !fieldOf(entity, field).nullable
  const other = order.find((key) => !isOwn(key))
  if (other === undefined) return
  throw new InvalidFindOptions(
    `order of ${other.field}`,
    'a field of the row that is never null, because running totals follow it'
  )
}

/** Totals of the related rows of one row. @throws InvalidFindOptions */
export function readRelatedRunning(
  { name, type, field }: CompiledRelation,
  running: readonly RunningTotal[],
  isLimited: boolean
): readonly RunningTotal[] {
  if (running.length > 0 && type !== 'one-to-many') {
    throw new InvalidFindOptions(`running of ${name}`, `a one-to-many relation; ${name} is ${type}`)
  }
  const open = running.find(({ from }) => from === 'last')
  if (isLimited && open !== undefined) {
    throw new InvalidFindOptions(`running.${open.name}.from`, 'first, where limit bounds the related rows')
  }
  return running.map((total) => ({ ...total, by: [field, ...total.by] }))
}

function readTotal(entity: CompiledEntity, name: string, given: unknown): RunningTotal {
  const isKnown = isRecord(given) && Object.keys(given).every((key) => KNOWN.includes(key))
  if (!isKnown) throw new InvalidFindOptions(`running.${name}`, 'an object with sum, by and from')
  const { sum, by = [], from = 'first' } = given
  const field = fieldOf(entity, String(sum))
  if (field.array || field.sealed !== undefined || !field.fieldType.can.add) {
    throw new InvalidFindOptions(`running.${name}`, 'the sum of a field that holds a number and is not sealed')
  }
  if (!Array.isArray(by)) throw new InvalidFindOptions(`running.${name}.by`, 'a list of names of fields')
  if (from !== 'first' && from !== 'last') throw new InvalidFindOptions(`running.${name}.from`, 'first or last')
  const shared = Array.from(by as unknown[], (each) => sharedField(entity, String(each)))
  const sealed = shared.find((each) => fieldOf(entity, each).sealed !== undefined)
  if (sealed !== undefined) throw new InvalidFindOptions(`running.${name}.by`, 'fields that are not sealed')
  return { name, field, by: shared, from }
}
