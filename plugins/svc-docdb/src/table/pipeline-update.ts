/**
 * Changes with products as a pipeline, in which the server computes exactly: by decimals of 34 digits. What the other
 * parts of the change write is said in the same pipeline. Pure.
 */
import type { Document } from 'mongodb'
import mongoose from 'mongoose'
import { type Change, columnOf } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'

const { Decimal128, Double, Long } = mongoose.mongo

type Values = Readonly<Record<string, unknown>>

const REMOVED = '$$REMOVE'
const [HALF, NEGATIVE_HALF] = [Decimal128.fromString('0.5'), Decimal128.fromString('-0.5')]
const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const
const BEYOND = Decimal128.fromString('1E19')

/** @throws TypeError for lists, whose items are changed by operators alone */
export function pipelineUpdate<Row>(columns: DocumentColumns, change: Change<Row>): Document[] {
  const { set, add, mul, max, min, push, pull } = change as { readonly [Part in keyof Change<Row>]?: Values }
  if (push !== undefined || pull !== undefined) throw new TypeError('a product cannot be written with items of lists')
  const fields: Document = {}
  const write = (part: Values | undefined, expression: (name: string, value: unknown, held: string) => unknown) => {
    for (const [name, value] of Object.entries(part ?? {})) {
      if (value === undefined) continue
      fields[columns.field(name)] = expression(name, value, `$${columns.field(name)}`)
    }
  }
  write(set, (name, value) => (value === null ? REMOVED : { $literal: columns.write(name, value) }))
  write(add, (name, value, held) => {
    const zero = columns.isWide(name) ? Long.fromNumber(0) : 0
    return { $add: [{ $ifNull: [held, zero] }, columns.operand(name, value)] }
  })
  // Null is left aside.
  write(max, (name, value, held) => ({ $max: [held, columns.operand(name, value)] }))
  write(min, (name, value, held) => ({ $min: [held, columns.operand(name, value)] }))
  write(mul, (name, factor, held) => ({ $ifNull: [product(columns, name, factor, held), REMOVED] }))
  return [{ $set: fields }]
}

function product(columns: DocumentColumns, name: string, factor: unknown, held: string): unknown {
  const { type } = columnOf(columns.plan, name)
  // Of negative zero, adding 0 makes zero.
  if (type === 'float') return { $add: [{ $multiply: [held, new Double(Number(factor))] }, 0] }
  // A large integer is a double in its document, of which the server would compute with the first 15 digits.
  const exact = { $multiply: [{ $toLong: held }, Decimal128.fromString(String(factor))] }
  // The server's own rounding takes the even neighbour of a half.
  const rounded = { $trunc: { $add: [exact, { $cond: [{ $lt: [exact, 0] }, NEGATIVE_HALF, HALF] }] } }
  return { $toLong: type === 'bigint' ? rounded : safe(rounded) }
}

/** What is no safe integer is carried past 64 bits, which the server refuses to convert. */
function safe(value: Document): Document {
  const [least, most] = SAFE
  const isSafe = { $and: [{ $gte: [value, least] }, { $lte: [value, most] }] }
  return { $cond: [isSafe, value, { $multiply: [value, BEYOND] }] }
}
