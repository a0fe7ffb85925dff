/** What is asked of an `id` that is made of several fields, as it is asked of those. Pure. */
import {
  type AnyCondition,
  type ColumnCondition,
  type ColumnParts,
  type Condition,
  type ConditionValue,
  type IdForm,
  NOTHING,
  type SortKey
} from 'svc-stores/table'
import type { CompositeKey } from '../entities/composite-key.ts'
import { InvalidCriteria } from '../errors.ts'

type Values = readonly ConditionValue[]

/** What is left of `id` where nothing can be made of it. */
export function noColumn(key: CompositeKey): Error {
  return new InvalidCriteria('id', `the fields of the key here: ${key.names.join(', ')}`)
}

export class KeyParts implements ColumnParts {
  readonly column = 'id'
  readonly #key: CompositeKey
  readonly #ids: IdForm

  /** @param ids of the database */
  constructor(key: CompositeKey, ids: IdForm) {
    this.#key = key
    this.#ids = ids
  }

  conditions(condition: ColumnCondition): readonly Condition[] {
    switch (condition.operator) {
      case 'eq':
        return this.#row(condition.value)
      case 'ne':
        return [{ operator: 'not', of: this.#row(condition.value) }]
      case 'in':
        return [this.#among(condition.values)]
      case 'nin':
        return [{ operator: 'not', of: [this.#among(condition.values)] }]
      case 'gt':
      case 'lt':
        return [this.#beyond(condition.operator, condition.value)]
      case 'gte':
      case 'lte': {
        const beyond = this.#beyond(condition.operator === 'gte' ? 'gt' : 'lt', condition.value)
        return [{ operator: 'any', of: [this.#row(condition.value), [beyond]] }]
      }
      case 'null':
        return condition.value ? [NOTHING] : []
      default:
        throw noColumn(this.#key)
    }
  }

  /** Fields that are named before decide nothing more. */
  order(order: readonly SortKey[]): readonly SortKey[] {
    return order.flatMap((each, place) =>
      isId(each) ? this.#left(order, place).map((field) => ({ ...each, field })) : [each]
    )
  }

  places(order: readonly SortKey[], values: Values): Values | null {
    const id = values[order.findIndex(isId)]
    const held = id === undefined ? [] : this.#values(id)
    if (held === null) return null
    const heldIn = (field: string) => held[this.#key.names.indexOf(field)] as ConditionValue
    return order.flatMap((each, place) =>
      isId(each) ? this.#left(order, place).map(heldIn) : [values[place] as ConditionValue]
    )
  }

  #left(order: readonly SortKey[], place: number): readonly string[] {
    const before = order.slice(0, place).flatMap(({ field, by }) => (by === undefined ? [field] : []))
    return this.#key.names.filter((name) => !before.includes(name))
  }

  #values(id: ConditionValue): Values | null {
    return this.#key.valuesOf(String(id), this.#ids)
  }

  #row(id: ConditionValue): readonly Condition[] {
    const values = this.#values(id)
    if (values === null) return [NOTHING]
    return this.#key.names.map((field, place) => ({ field, operator: 'eq', value: values[place] as ConditionValue }))
  }

  /** By all parts but the last, so that a statement has few values. */
  #among(ids: Values): AnyCondition {
    const known = ids.map((id) => this.#values(id)).filter((values) => values !== null)
    const { names } = this.#key
    const sets = Map.groupBy(known, (values) => JSON.stringify(values.slice(0, -1)))
    return {
      operator: 'any',
      of: [...sets.values()].map((same) => [
        ...names.slice(0, -1).map((field, place): Condition => {
          return { field, operator: 'eq', value: same[0]?.[place] as ConditionValue }
        }),
        {
          field: names.at(-1) as string,
          operator: 'in',
          values: [...new Set(same.map((values) => values.at(-1) as ConditionValue))],
          orNull: false
        }
      ])
    }
  }

  #beyond(operator: 'gt' | 'lt', id: ConditionValue): Condition {
    const values = this.#values(id)
    if (values === null) return NOTHING
    const direction = operator === 'gt' ? 'ASC' : 'DESC'
    return { operator: 'after', order: this.#key.names.map((field) => ({ field, direction })), values }
  }
}

function isId({ field, by }: SortKey): boolean {
  return field === 'id' && by === undefined
}
