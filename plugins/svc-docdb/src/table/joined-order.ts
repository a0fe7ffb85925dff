/**
 * Orders by what no field of documents holds: what belongs to them in other collections, which stages put beside each document
 * as lists of one, and how well they fit a search.
 */
import type { Document, Sort } from 'mongodb'
import type { ConditionValue, Order, SortKey, Step, TablePlan } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'
import { rankExpression } from './document-words.ts'

export interface JoinedCollection {
  readonly name: string
  readonly columns: DocumentColumns
}

/** Of a document, while it is sorted. */
const RANK = '_rank'

interface Place {
  readonly path: string
  /** What documents have there, as rows carry it; `null` for what they carry not. */
  readonly read: ((value: unknown) => unknown) | null
  readonly operand: (value: ConditionValue | undefined) => unknown
}

export function hasJoinedKeys(order: Order): boolean {
  return order.some(({ by }) => by !== undefined && by.kind !== 'path')
}

export class JoinedOrder {
  readonly stages: readonly Document[]
  readonly sort: Sort
  readonly #places: ReadonlyMap<string, Place>

  constructor(columns: DocumentColumns, order: Order, collectionOf: (plan: TablePlan) => JoinedCollection) {
    const joins = new Joins(columns, collectionOf)
    this.#places = new Map(order.map((key) => [key.field, joins.placeOf(key)]))
    this.stages = joins.stages
    this.sort = Object.fromEntries(
      order.map(({ field, direction }) => [this.#place(field).path, direction === 'ASC' ? 1 : -1])
    )
  }

  /** Where a key is, and a value as it is compared there. */
  placed({ field }: SortKey, value: ConditionValue | undefined): readonly [path: string, operand: unknown] {
    const { path, operand } = this.#place(field)
    return [path, operand(value)]
  }

  /** What a row carries of the order. */
  carried(document: Document): Record<string, unknown> {
    const read = [...this.#places].filter(([, place]) => place.read !== null)
    return Object.fromEntries(read.map(([field, { read: as, path }]) => [field, as?.(heldAt(document, path)) ?? null]))
  }

  /** The value of a key as an expression. */
  expression(field: string): Document {
    return { $arrayElemAt: [`$${this.#place(field).path}`, 0] }
  }

  /** The value of a key as rows carry it. */
  read(field: string, value: unknown): unknown {
    return this.#place(field).read?.(value) ?? null
  }

  /** A value as it is compared with that of a key. */
  operand(field: string, value: ConditionValue | undefined): unknown {
    return this.#place(field).operand(value)
  }

  #place(field: string): Place {
    const place = this.#places.get(field)
    if (place === undefined) throw new TypeError(`no key ${field} in the order`)
    return place
  }
}

class Joins {
  readonly stages: Document[] = []
  readonly #columns: DocumentColumns
  readonly #collectionOf: (plan: TablePlan) => JoinedCollection
  /** By the steps that lead there. */
  readonly #names = new Map<string, string>()

  constructor(columns: DocumentColumns, collectionOf: (plan: TablePlan) => JoinedCollection) {
    this.#columns = columns
    this.#collectionOf = collectionOf
  }

  placeOf(key: SortKey): Place {
    const { by, field } = key
    if (by?.kind === 'counted') {
      const name = this.#join(by, this.#columns.field(by.field), [{ $count: 'rows' }])
      return { path: `${name}.rows`, read: null, operand: (value) => value }
    }
    if (by?.kind === 'ranked') {
      this.stages.push({ $addFields: { [RANK]: rankExpression(this.#columns, by) } })
      return { path: RANK, read: Number, operand: (value) => value }
    }
    if (by?.kind !== 'reached') {
      const operand = (value: ConditionValue | undefined) => this.#columns.operand(field, value)
      return { path: this.#columns.sortPath(key), read: null, operand }
    }
    let [name, columns] = ['', this.#columns]
    for (const [place, step] of by.steps.entries()) {
      const local = place === 0 ? columns.field(step.field) : `${name}.${columns.field(step.field)}`
      const shape = JSON.stringify([local, step.table.name, step.unless, step.only])
      const known = this.#names.get(shape)
      name = known ?? this.#join(step, local, [])
      this.#names.set(shape, name)
      if (known === undefined && by.required === true) this.stages.push({ $match: { [name]: { $ne: [] } } })
      columns = this.#collectionOf(step.table).columns
    }
    const last = columns
    const held = last.field(by.column)
    return {
      path: `${name}.${held}`,
      read: (value) => last.read(by.column, value),
      operand: (value) => last.operand(by.column, value)
    }
  }

  /** @param pipeline of what was found */
  #join({ table, column, unless, only }: Step, localField: string, pipeline: readonly Document[]): string {
    const { name: from, columns } = this.#collectionOf(table)
    const present = {
      ...(unless !== undefined && { [columns.field(unless)]: null }),
      ...(only !== undefined && { [columns.field(only.column)]: columns.operand(only.column, only.value) })
    }
    const stages = [...(Object.keys(present).length === 0 ? [] : [{ $match: present }]), ...pipeline]
    const as = `_joined${this.stages.length + 1}`
    const lookup = { from, localField, foreignField: columns.field(column), as }
    this.stages.push({ $lookup: stages.length === 0 ? lookup : { ...lookup, pipeline: stages } })
    return as
  }
}

function heldAt(document: Document, path: string): unknown {
  const [list = '', ...field] = path.split('.')
  return field.length === 0 ? document[list] : (document[list]?.[0]?.[field.join('.')] ?? null)
}
