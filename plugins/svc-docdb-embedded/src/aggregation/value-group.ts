/**
 * The `$group` over plain fields, on unchanged values: by a constant, a field, or fields with null for what is absent;
 * with `$sum`, `$avg`, `$min` and `$max`. So integers of 64 bits and decimals stay what they are. Groups come in the order
 * of their keys.
 */
import { Double, Int32 } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { compareValues } from '../values/compare-values.ts'
import { add, multiply, toDouble } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, type NumberValue, type Value } from '../values/value.ts'

type Read = (document: Document) => Value

/** What becomes of the values that a field has in a group; absent and null ones are left out. */
const ACCUMULATORS: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  $sum: (values) => sum(values.filter(isNumber)),
  $avg: (values) => average(values.filter(isNumber)),
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1)
}

/** @returns null for one that says more, which is computed elsewhere */
export function valueGroup(operand: Value): ((documents: readonly Document[]) => Document[]) | null {
  if (!isDocument(operand)) return null
  const key = readKey(operand.get('_id'))
  const measures = [...operand].filter(([name]) => name !== '_id').map(([name, of]) => [name, readMeasure(of)] as const)
  if (key === null || measures.some(([, measure]) => measure === null)) return null
  return (documents) =>
    groups(documents, key).map(([_id, members]) => {
      return new Map([['_id', _id], ...measures.map(([name, of]): [string, Value] => [name, of?.(members) ?? null])])
    })
}

function groups(documents: readonly Document[], key: Read): (readonly [key: Value, members: Document[]])[] {
  const sorted = documents.map((document): [Value, Document] => [key(document), document])
  const found: (readonly [Value, Document[]])[] = []
  for (const [value, document] of sorted.sort(([a], [b]) => compareValues(a, b))) {
    const last = found.at(-1)
    if (last !== undefined && compareValues(last[0], value) === 0) last[1].push(document)
    else found.push([value, [document]])
  }
  return found
}

/** `{ a: { $ifNull: ['$a', null] } }`, a field, or one group of all. */
function readKey(operand: Value | undefined): Read | null {
  if (!isDocument(operand)) return operand === null || isNumber(operand) ? () => operand : readField(operand)
  const parts = [...operand].map(([name, part]) => [name, readPart(part)] as const)
  if (parts.length === 0 || parts.some(([, part]) => part === null)) return null
  return (document) => new Map(parts.map(([name, part]): [string, Value] => [name, part?.(document) ?? null]))
}

function readPart(operand: Value): Read | null {
  const given = isDocument(operand) && operand.size === 1 ? operand.get('$ifNull') : undefined
  return Array.isArray(given) && given.length === 2 && given[1] === null ? readField(given[0]) : null
}

function readField(operand: Value | undefined): Read | null {
  if (typeof operand !== 'string' || !/^\$[^$.]+$/.test(operand)) return null
  const name = operand.slice(1)
  return (document) => document.get(name) ?? null
}

function readMeasure(operand: Value): ((members: readonly Document[]) => Value) | null {
  const [name = '', of = null] = isDocument(operand) && operand.size === 1 ? ([...operand][0] ?? []) : []
  const accumulate = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined
  if (name === '$sum' && isNumber(of)) return (members) => multiply(of, new Int32(members.length))
  const read = readField(of)
  if (accumulate === undefined || read === null) return null
  return (members) => accumulate(members.map(read).filter((value) => value !== null))
}

/** An int64 that overflows becomes a double. */
function sum(numbers: readonly NumberValue[]): NumberValue {
  return numbers.reduce<NumberValue>((total, each) => {
    try {
      return add(total, each)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return new Double(toDouble(total) + toDouble(each))
    }
  }, new Int32(0))
}

/** @throws CommandError 238 for decimals, whose average is one */
function average(numbers: readonly NumberValue[]): Value {
  if (numbers.some(({ _bsontype }) => _bsontype === 'Decimal128')) throw notImplemented('an average of decimals')
  return numbers.length === 0 ? null : new Double(toDouble(sum(numbers)) / numbers.length)
}

function extreme(values: readonly Value[], sign: number): Value {
  return values.reduce<Value>((found, each) => {
    return found === null || compareValues(each, found) * sign > 0 ? each : found
  }, null)
}
