/**
 * Expressions on unchanged values, so that integers of 64 bits and decimals stay what they are: for keys and conditions
 * of groups, and for updates by a pipeline. What is not known here is computed elsewhere, or refused.
 */
import { Int32 } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { compareValues } from '../values/compare-values.ts'
import { formatDate } from '../values/format-date.ts'
import { add, multiply, toDouble, toInt64, truncate, truthy } from '../values/numbers.ts'
import { type Document, firstName, isDocument, isNumber, type NumberValue, type Value } from '../values/value.ts'

/** `undefined`: what is absent, or `$$REMOVE`. */
export type Expression = (document: Document) => Value | undefined

/** An item, where a list is filtered. */
const THIS = '$$this'

/** A null among the operands is the answer. */
type Operation = (operands: readonly Value[]) => Value | undefined

const STRICT: Readonly<Record<string, Operation>> = {
  $add: (values) => values.map(asNumber).reduce(add),
  $multiply: (values) => values.map(asNumber).reduce(multiply),
  $trunc: ([value = null]) => truncate(asNumber(value)),
  $toLong: ([value = null]) => toInt64(asNumber(value)),
  $size: ([list = null]) => {
    if (!Array.isArray(list)) throw new CommandError(17124, 'The argument to $size must be an array')
    return new Int32(list.length)
  },
  $arrayElemAt: ([list = null, at = null]) => {
    if (Array.isArray(list)) return list.at(toDouble(at))
    throw new CommandError(28689, '$arrayElemAt requires an array as a first argument')
  },
  $concat: (values) => values.map(asText).join('')
}

const COMPARISONS: Readonly<Record<string, (difference: number) => boolean>> = {
  $eq: (difference) => difference === 0,
  $gt: (difference) => difference > 0,
  $gte: (difference) => difference >= 0,
  $lt: (difference) => difference < 0,
  $lte: (difference) => difference <= 0
}

/** What is absent counts as null. */
const LENIENT: Readonly<Record<string, Operation>> = {
  $and: (values) => values.every(truthy),
  $in: ([value = null, list = null]) => {
    if (!Array.isArray(list)) throw new CommandError(40081, '$in requires an array as a second argument')
    return list.some((item) => compareValues(item, value) === 0)
  },
  $max: (values) => extreme(values, 1),
  $min: (values) => extreme(values, -1)
}

/** @returns null for an expression that says more */
export function exactExpression(operand: Value | undefined): Expression | null {
  if (typeof operand === 'string' && operand.startsWith('$')) return pathExpression(operand)
  if (Array.isArray(operand)) {
    const items = compiled(operand)
    return items && ((document) => items.map((item) => item(document) ?? null))
  }
  if (!isDocument(operand)) return () => operand ?? null
  const name = firstName(operand)
  if (!name.startsWith('$')) return documentExpression(operand)
  const given = operand.get(name) ?? null
  if (operand.size !== 1) return null
  if (name === '$literal') return () => given
  if (name === '$dateToString') return dateExpression(given)
  if (name === '$filter') return filterExpression(given)
  const operands = compiled(Array.isArray(given) ? given : [given])
  return operands === null ? null : operatorExpression(name, operands)
}

function operatorExpression(name: string, operands: readonly Expression[]): Expression | null {
  const values = (document: Document) => operands.map((operand) => operand(document) ?? null)
  const [strict, lenient, comparison] = [STRICT, LENIENT, COMPARISONS].map((each) =>
    Object.hasOwn(each, name) ? each[name] : undefined
  ) as [Operation | undefined, Operation | undefined, ((difference: number) => boolean) | undefined]
  if (strict !== undefined) {
    return (document) => {
      const given = values(document)
      return given.includes(null) ? null : strict(given)
    }
  }
  if (lenient !== undefined) return (document) => lenient(values(document))
  if (comparison !== undefined) {
    return (document) => {
      const [one = null, other = null] = values(document)
      return comparison(compareValues(one, other))
    }
  }
  if (name === '$ifNull') {
    return (document) => {
      const given = operands.map((operand) => operand(document))
      return given.find((value) => value !== null && value !== undefined) ?? given.at(-1)
    }
  }
  if (name !== '$cond' || operands.length !== 3) return null
  const [test, then, otherwise] = operands as [Expression, Expression, Expression]
  return (document) => (truthy(test(document)) ? then(document) : otherwise(document))
}

/** A field, or a field of a document in one. */
function pathExpression(path: string): Expression | null {
  if (path === '$$REMOVE') return () => undefined
  if (path === THIS) return (document) => document.get(THIS)
  const parts = path.slice(1).split('.')
  if (path.startsWith('$$') || parts.includes('')) return null
  return (document) => parts.reduce<Value | undefined>(fieldOf, document)
}

/** The items of a list that meet a condition on themselves. */
function filterExpression(given: Value): Expression | null {
  if (!isDocument(given) || ![...given.keys()].every((name) => name === 'input' || name === 'cond')) return null
  const [input, meets] = [exactExpression(given.get('input')), exactExpression(given.get('cond'))]
  // Each item is all that its condition sees: one that looks at the document as well is computed elsewhere.
  if (input === null || meets === null || readsDocument(given.get('cond') ?? null)) return null
  return (document) => {
    const list = input(document) ?? null
    if (list === null) return null
    if (!Array.isArray(list)) throw new CommandError(28651, 'input to $filter must be an array')
    return list.filter((item) => truthy(meets(new Map([[THIS, item]]))))
  }
}

function readsDocument(operand: Value): boolean {
  if (typeof operand === 'string') return operand.startsWith('$') && operand !== THIS
  if (Array.isArray(operand)) return operand.some(readsDocument)
  return isDocument(operand) && [...operand].some(([name, value]) => name !== '$literal' && readsDocument(value))
}

/** Of a list, the fields of its items. */
function fieldOf(value: Value | undefined, name: string): Value | undefined {
  if (Array.isArray(value)) return value.map((item) => fieldOf(item, name)).filter((each) => each !== undefined)
  return isDocument(value) ? value.get(name) : undefined
}

function documentExpression(operand: Document): Expression | null {
  const parts = [...operand].map(([name, value]) => [name, exactExpression(value)] as const)
  if (parts.some(([, part]) => part === null)) return null
  return (document) => {
    const made: Document = new Map()
    for (const [name, part] of parts) {
      const value = part?.(document)
      if (value !== undefined) made.set(name, value)
    }
    return made
  }
}

/** With a date, a format and a zone. */
function dateExpression(given: Value): Expression | null {
  if (!isDocument(given)) return null
  const [format, timezone = 'UTC'] = [given.get('format'), given.get('timezone')]
  const date = dateOf(given.get('date'))
  const known = [...given.keys()].every((name) => ['date', 'format', 'timezone'].includes(name))
  if (date === null || !known || typeof format !== 'string' || typeof timezone !== 'string') return null
  return (document) => {
    const moment = date(document) ?? null
    if (moment === null) return null
    if (moment instanceof Date) return formatDate(moment, format, timezone)
    throw new CommandError(16006, "can't convert a value of another type to Date")
  }
}

/** A date, or the one that a text says. */
function dateOf(operand: Value | undefined): Expression | null {
  const text = isDocument(operand) && firstName(operand) === '$dateFromString' ? operand.get('$dateFromString') : null
  if (!isDocument(text)) return exactExpression(operand)
  const read = text.size === 1 ? exactExpression(text.get('dateString')) : null
  return (
    read &&
    ((document) => {
      const given = read(document) ?? null
      if (given === null) return null
      const moment = new Date(asText(given))
      if (Number.isNaN(moment.getTime())) throw new CommandError(241, 'Error parsing date string')
      return moment
    })
  )
}

function compiled(operands: readonly Value[]): readonly Expression[] | null {
  const expressions = operands.map(exactExpression)
  return expressions.includes(null) ? null : (expressions as readonly Expression[])
}

function extreme(values: readonly Value[], sign: number): Value {
  const held = values.filter((value) => value !== null)
  return held.reduce<Value>((found, each) => {
    return found === null || compareValues(each, found) * sign > 0 ? each : found
  }, null)
}

function asNumber(value: Value): NumberValue {
  if (isNumber(value)) return value
  throw new CommandError(14, 'only numbers can be computed with')
}

function asText(value: Value): string {
  if (typeof value === 'string') return value
  throw new CommandError(16702, '$concat only supports strings')
}
