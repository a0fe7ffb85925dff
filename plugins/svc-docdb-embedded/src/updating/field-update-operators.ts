/** Operators on one value: `$set $setOnInsert $unset $inc $mul $min $max $currentDate`. */
import { Int32, Timestamp } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { compareValues } from '../ordering/compare-values.ts'
import { add, multiply } from '../values/arithmetic.ts'
import { isDocument, isNumber, type NumberValue, typeName } from '../values/value.ts'
import type { Modifier, ModifierBuilder } from './update-operator.ts'

const set: ModifierBuilder = (operand) => ({ creates: true, apply: () => operand })

function calculating(
  name: string,
  verb: string,
  combine: (a: NumberValue, b: NumberValue) => NumberValue
): ModifierBuilder {
  return (operand, path) => {
    if (!isNumber(operand))
      throw new CommandError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${typeName(operand)}}`)
    return {
      creates: true,
      apply: (current, { id }) => {
        if (current === undefined) return name === '$mul' ? multiply(operand, new Int32(0)) : operand
        if (isNumber(current)) return combine(current, operand)
        throw new CommandError(
          14,
          `Cannot apply ${name} to a value of non-numeric type. {_id: ${id}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(current)}`
        )
      }
    }
  }
}

function bounding(wanted: (difference: number) => boolean): ModifierBuilder {
  return (operand) => ({
    creates: true,
    apply: (current) => (current === undefined || wanted(compareValues(operand, current)) ? operand : undefined)
  })
}

const currentDate: ModifierBuilder = (operand, path): Modifier => {
  const type = isDocument(operand) ? operand.get('$type') : operand === true ? 'date' : undefined
  if (type === 'date') return { creates: true, apply: (_current, { now }) => now }
  if (type === 'timestamp') {
    return { creates: true, apply: (_current, { now }) => new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }) }
  }
  if (typeof operand === 'boolean') return { creates: true, apply: (_current, { now }) => now }
  throw new CommandError(
    2,
    `The field '${path}' of $currentDate must be true, or {$type: 'date'} or {$type: 'timestamp'}`
  )
}

export const fieldUpdateOperators: Readonly<Record<string, ModifierBuilder>> = {
  $set: set,
  $setOnInsert: (operand, path, parser) => ({ ...set(operand, path, parser), onInsertOnly: true }),
  $unset: () => ({ creates: false, removes: true, apply: () => undefined }),
  $inc: calculating('$inc', 'increment', add),
  $mul: calculating('$mul', 'multiply', multiply),
  $min: bounding((difference) => difference < 0),
  $max: bounding((difference) => difference > 0),
  $currentDate: currentDate
}
