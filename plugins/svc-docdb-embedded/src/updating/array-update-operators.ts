/** Operators on arrays: `$push $addToSet $pull $pullAll $pop`, with `$each $position $slice $sort`. */
import { CommandError } from '../failure/command-error.ts'
import { onValue } from '../matching/array-operators.ts'
import type { Parser } from '../matching/condition.ts'
import { regexTest } from '../matching/regex-operators.ts'
import { compareValues, equalValues } from '../ordering/compare-values.ts'
import { parseSort, sortDocuments } from '../ordering/sort-order.ts'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber, isRegex, typeName, type Value } from '../values/value.ts'
import type { ModifierBuilder, ModifierContext } from './update-operator.ts'

type Arrange = (items: Value[]) => Value[]

/** The array at the path, which `$push` and `$addToSet` begin where there is none. */
function arrayAt(current: Value | undefined, { path, id }: ModifierContext): readonly Value[] {
  if (current === undefined) return []
  if (Array.isArray(current)) return current
  throw new CommandError(
    2,
    `The field '${path}' must be an array but is of type ${typeName(current)} in document {_id: ${id}}`
  )
}

const push: ModifierBuilder = (operand) => {
  const { values, arrange, position } = isModified(operand)
    ? readPush(operand)
    : { values: [operand], arrange: [], position: null }
  return {
    creates: true,
    apply: (current, context) => {
      const items = [...arrayAt(current, context)]
      items.splice(position ?? items.length, 0, ...values)
      return arrange.reduce((result, step) => step(result), items)
    }
  }
}

const addToSet: ModifierBuilder = (operand) => {
  const values = isModified(operand) ? readAddToSet(operand) : [operand]
  return {
    creates: true,
    apply: (current, context) => {
      const items = [...arrayAt(current, context)]
      for (const value of values) {
        if (!items.some((item) => equalValues(item, value))) items.push(value)
      }
      return items
    }
  }
}

function removing(name: string, isGone: (value: Value) => boolean): ReturnType<ModifierBuilder> {
  return {
    creates: false,
    apply: (current) => {
      if (current === undefined) return undefined
      if (!Array.isArray(current)) throw new CommandError(2, `Cannot apply ${name} to a non-array value`)
      return current.filter((item) => !isGone(item))
    }
  }
}

const pullAll: ModifierBuilder = (operand) => {
  if (!Array.isArray(operand))
    throw new CommandError(2, '$pullAll requires an array argument but was given a different type')
  return removing('$pullAll', (item) => operand.some((value) => equalValues(item, value)))
}

const pull: ModifierBuilder = (operand, _path, parser) => removing('$pull', pullTest(operand, parser))

function pullTest(operand: Value, parser: Parser): (item: Value) => boolean {
  if (isRegex(operand)) return regexTest(operand)
  if (!isDocument(operand)) return (item) => equalValues(item, operand)
  if (String([...operand.keys()][0]).startsWith('$')) return onValue(parser.operators(operand))
  const { matches } = parser.filter(operand)
  return (item) => isDocument(item) && matches(item)
}

const pop: ModifierBuilder = (operand) => {
  const end = isNumber(operand) ? approximate(operand) : 0
  if (end !== 1 && end !== -1) throw new CommandError(9, '$pop expects 1 or -1')
  return {
    creates: false,
    apply: (current, { path }) => {
      if (current === undefined) return undefined
      if (Array.isArray(current)) return end === 1 ? current.slice(0, -1) : current.slice(1)
      throw new CommandError(14, `Path '${path}' contains an element of non-array type '${typeName(current)}'`)
    }
  }
}

function isModified(operand: Value): operand is Document {
  return isDocument(operand) && operand.has('$each')
}

function readAddToSet(operand: Document): Value[] {
  for (const name of operand.keys()) {
    if (name !== '$each') throw new CommandError(2, `Found unexpected fields after $each in $addToSet: ${name}`)
  }
  return eachOf(operand, '$addToSet')
}

function eachOf(operand: Document, name: string): Value[] {
  const values = operand.get('$each')
  if (Array.isArray(values)) return values
  throw new CommandError(name === '$push' ? 2 : 14, `The argument to $each in ${name} must be an array`)
}

function readPush(operand: Document): { values: Value[]; arrange: Arrange[]; position: number | null } {
  for (const name of operand.keys()) {
    if (!['$each', '$position', '$slice', '$sort'].includes(name))
      throw new CommandError(2, `Unrecognized clause in $push: ${name}`)
  }
  const [sort, slice] = [operand.get('$sort'), wholeNumber(operand, '$slice')]
  const arrange: Arrange[] = []
  if (sort !== undefined) arrange.push(sorting(sort))
  if (slice !== null) arrange.push((items) => (slice >= 0 ? items.slice(0, slice) : items.slice(slice)))
  return { values: eachOf(operand, '$push'), arrange, position: wholeNumber(operand, '$position') }
}

function wholeNumber(operand: Document, name: string): number | null {
  const value = operand.get(name)
  if (value === undefined) return null
  const number = isNumber(value) ? approximate(value) : Number.NaN
  if (!Number.isInteger(number)) throw new CommandError(2, `The value for ${name} must be an integer value`)
  return number
}

function sorting(sort: Value): Arrange {
  if (isDocument(sort)) {
    const fields = parseSort(sort)
    return (items) => sortDocuments(items, fields, (item) => (isDocument(item) ? item : new Map()))
  }
  const direction = isNumber(sort) ? approximate(sort) : 0
  if (direction !== 1 && direction !== -1) throw new CommandError(2, 'The $sort element value must be either 1 or -1')
  return (items) => [...items].sort((a, b) => compareValues(a, b) * direction)
}

export const arrayUpdateOperators: Readonly<Record<string, ModifierBuilder>> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop
}
