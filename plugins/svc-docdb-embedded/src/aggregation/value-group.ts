/**
 * The `$group` on unchanged values: by a constant or an exact expression, with null for what is absent; with `$sum`,
 * `$avg`, `$min` and `$max` of fields. So integers of 64 bits and decimals stay what they are. Groups come in the order
 * of their keys.
 */
import { Double, Int32 } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { compareValues } from '../values/compare-values.ts'
import { add, multiply, toDouble } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, type NumberValue, type Value } from '../values/value.ts'
import { type Expression, exactExpression } from './exact-expression.ts'

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

/** One group of all, or an expression, of which what is absent is null. */
function readKey(operand: Value | undefined): Read | null {
  if (operand === null || isNumber(operand)) return () => operand
  if (operand === undefined || (isDocument(operand) && operand.size === 0)) return null
  return orNull(exactExpression(operand))
}

function readField(operand: Value | undefined): Read | null {
  return typeof operand === 'string' && operand.startsWith('$') ? orNull(exactExpression(operand)) : null
}

function orNull(read: Expression | null): Read | null {
  return read && ((document) => read(document) ?? null)
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
