/**
 * What each update operator becomes: a function from the value at a path to the one that replaces it. On values:
 * `$set $setOnInsert $unset $inc $mul $min $max $currentDate`; on arrays: `$push $addToSet $pull $pullAll $pop`.
 */
import { Int32, Timestamp } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { operatorsTest, parseFilter } from '../query/filter.ts'
import { regexTest } from '../query/operators.ts'
import { parseSort, sortDocuments } from '../query/sort.ts'
import { compareValues, equalValues } from '../values/compare-values.ts'
import { add, multiply, toDouble } from '../values/numbers.ts'
import {
  type Document,
  firstName,
  isDocument,
  isNumber,
  isRegex,
  type NumberValue,
  typeOf,
  type Value
} from '../values/value.ts'

export interface ModifierContext {
  /** The path as the client wrote it, for messages. */
  readonly path: string
  /** The `_id` of the document, for messages. */
  readonly id: string
  readonly now: Date
}

export interface Modifier {
  /** `undefined` leaves the field as it is, or absent. */
  readonly apply: (current: Value | undefined, context: ModifierContext) => Value | undefined
  /** Removes the field; `apply` is not called. */
  readonly removes?: true
  /** Holds for the document of an upsert only. */
  readonly onInsertOnly?: true
}

/** @throws CommandError when the operand is not what the operator takes */
export type ModifierBuilder = (operand: Value, path: string) => Modifier

function calculating(
  name: string,
  verb: string,
  combine: (a: NumberValue, b: NumberValue) => NumberValue
): ModifierBuilder {
  return (operand, path) => {
    if (!isNumber(operand)) {
      throw new CommandError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${typeOf(operand).name}}`)
    }
    return {
      apply: (current, { id }) => {
        if (current === undefined) return name === '$mul' ? multiply(operand, new Int32(0)) : operand
        if (isNumber(current)) return combine(current, operand)
        throw new CommandError(
          14,
          `Cannot apply ${name} to a value of non-numeric type. {_id: ${id}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeOf(current).name}`
        )
      }
    }
  }
}

function bounding(wanted: (difference: number) => boolean): ModifierBuilder {
  return (operand) => ({
    apply: (current) => (current === undefined || wanted(compareValues(operand, current)) ? operand : undefined)
  })
}

function currentDate(operand: Value, path: string): Modifier {
  const type = isDocument(operand) ? operand.get('$type') : null
  if (typeof operand === 'boolean' || type === 'date') return { apply: (_current, { now }) => now }
  if (type === 'timestamp') {
    return { apply: (_current, { now }) => new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }) }
  }
  throw new CommandError(
    2,
    `The field '${path}' of $currentDate must be true, or {$type: 'date'} or {$type: 'timestamp'}`
  )
}

/** The array at the path, which `$push` and `$addToSet` begin where there is none. */
function arrayAt(current: Value | undefined, { path, id }: ModifierContext): readonly Value[] {
  if (current === undefined) return []
  if (Array.isArray(current)) return current
  throw new CommandError(
    2,
    `The field '${path}' must be an array but is of type ${typeOf(current).name} in document {_id: ${id}}`
  )
}

function hasEach(operand: Value): operand is Document {
  return isDocument(operand) && operand.has('$each')
}

function eachOf(operand: Document, name: '$push' | '$addToSet'): Value[] {
  const values = operand.get('$each')
  if (Array.isArray(values)) return values
  throw new CommandError(name === '$push' ? 2 : 14, `The argument to $each in ${name} must be an array`)
}

function push(operand: Value): Modifier {
  if (!hasEach(operand)) return { apply: (current, context) => [...arrayAt(current, context), operand] }
  for (const name of operand.keys()) {
    if (['$each', '$position', '$slice', '$sort'].includes(name)) continue
    throw new CommandError(2, `Unrecognized clause in $push: ${name}`)
  }
  const [given, slice] = [operand.get('$sort'), wholeNumber(operand, '$slice')]
  const sort = given === undefined ? (items: Value[]) => items : sorting(given)
  const values = eachOf(operand, '$push')
  const position = wholeNumber(operand, '$position')
  return {
    apply: (current, context) => {
      const items = [...arrayAt(current, context)]
      items.splice(position ?? items.length, 0, ...values)
      const sorted = sort(items)
      if (slice === null) return sorted
      return slice >= 0 ? sorted.slice(0, slice) : sorted.slice(slice)
    }
  }
}

function wholeNumber(operand: Document, name: string): number | null {
  const value = operand.get(name)
  if (value === undefined) return null
  if (Number.isInteger(toDouble(value))) return toDouble(value)
  throw new CommandError(2, `The value for ${name} must be an integer value`)
}

function sorting(sort: Value): (items: Value[]) => Value[] {
  if (isDocument(sort)) {
    const fields = parseSort(sort)
    return (items) => sortDocuments(items, fields, (item) => (isDocument(item) ? item : new Map()))
  }
  const direction = toDouble(sort)
  if (direction !== 1 && direction !== -1) throw new CommandError(2, 'The $sort element value must be either 1 or -1')
  return (items) => items.sort((a, b) => compareValues(a, b) * direction)
}

function addToSet(operand: Value): Modifier {
  const unexpected = hasEach(operand) ? [...operand.keys()].find((name) => name !== '$each') : undefined
  if (unexpected !== undefined) {
    throw new CommandError(2, `Found unexpected fields after $each in $addToSet: ${unexpected}`)
  }
  const values = hasEach(operand) ? eachOf(operand, '$addToSet') : [operand]
  return {
    apply: (current, context) => {
      const items = [...arrayAt(current, context)]
      for (const value of values) {
        if (!items.some((item) => equalValues(item, value))) items.push(value)
      }
      return items
    }
  }
}

function removing(name: string, isGone: (value: Value) => boolean): Modifier {
  return {
    apply: (current) => {
      if (current === undefined) return undefined
      if (!Array.isArray(current)) throw new CommandError(2, `Cannot apply ${name} to a non-array value`)
      return current.filter((item) => !isGone(item))
    }
  }
}

function pullTest(operand: Value): (item: Value) => boolean {
  if (isRegex(operand)) return regexTest(operand)
  if (!isDocument(operand)) return (item) => equalValues(item, operand)
  if (firstName(operand).startsWith('$')) return operatorsTest(operand)
  const { matches } = parseFilter(operand)
  return (item) => isDocument(item) && matches(item)
}

function pullAll(operand: Value): Modifier {
  if (Array.isArray(operand)) {
    return removing('$pullAll', (item) => operand.some((value) => equalValues(item, value)))
  }
  throw new CommandError(2, '$pullAll requires an array argument but was given a different type')
}

function pop(operand: Value): Modifier {
  const end = toDouble(operand)
  if (end !== 1 && end !== -1) throw new CommandError(9, '$pop expects 1 or -1')
  return {
    apply: (current, { path }) => {
      if (current === undefined) return undefined
      if (Array.isArray(current)) return end === 1 ? current.slice(0, -1) : current.slice(1)
      throw new CommandError(14, `Path '${path}' contains an element of non-array type '${typeOf(current).name}'`)
    }
  }
}

/** By name; `$rename` has two paths, and is not among them. */
export const UPDATE_OPERATORS: ReadonlyMap<string, ModifierBuilder> = new Map(
  Object.entries<ModifierBuilder>({
    $set: (operand) => ({ apply: () => operand }),
    $setOnInsert: (operand) => ({ apply: () => operand, onInsertOnly: true }),
    $unset: () => ({ apply: () => undefined, removes: true }),
    $inc: calculating('$inc', 'increment', add),
    $mul: calculating('$mul', 'multiply', multiply),
    $min: bounding((difference) => difference < 0),
    $max: bounding((difference) => difference > 0),
    $currentDate: currentDate,
    $push: push,
    $addToSet: addToSet,
    $pull: (operand) => removing('$pull', pullTest(operand)),
    $pullAll: pullAll,
    $pop: pop
  })
)
