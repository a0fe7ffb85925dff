/**
 * Filters: `{ a: 1, b: { $gt: 2 }, $or: [...] }` into a test of documents. What is not known is refused with
 * MongoDB's codes, never skipped.
 */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { type Document, firstName, isDocument, isRegex, type Value } from '../values/value.ts'
import { fieldComparison } from './field-comparison.ts'
import { equals, type FieldTest, type OperatorBuilder, regexTest, type ValueTest, valueOperators } from './operators.ts'
import { valuesAt } from './paths.ts'

/** A condition on one field that holds for each matching document. */
export interface Comparison {
  readonly path: string
  readonly operator: '$eq' | '$in' | '$gt' | '$gte' | '$lt' | '$lte'
  /** For `$in`, the values of its list. */
  readonly operand: Value
}

/** A filter as a test of documents, and the comparisons that every match must meet, which indexes use. */
export interface Condition {
  readonly matches: (document: Document) => boolean
  /** Necessary, not sufficient: a document that fails one of them cannot match. */
  readonly comparisons: readonly Comparison[]
}

const OPERATORS = new Map<string, OperatorBuilder>(
  Object.entries({ ...valueOperators, $not: negation, $all: allOf, $elemMatch: onElements })
)

/** Operators of MongoDB that are not here; they are refused by name. */
const ABSENT: ReadonlySet<string> = new Set([
  ...['$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$geoWithin', '$geoIntersects', '$near'],
  ...['$nearSphere', '$where', '$text', '$jsonSchema', '$sampleRate']
])

const INDEXABLE: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte'])

/** Names that begin a condition on the whole element, not on its value. */
const LOGICAL: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$expr', '$comment'])

/** @throws CommandError 2 for an unknown operator or a wrong operand, 238 for one that is not available */
export function parseFilter(filter: Document): Condition {
  const parts = [...filter].map(([name, operand]) => parsePart(name, operand))
  return allHold(parts.filter((part) => part !== null))
}

function parsePart(name: string, operand: Value): Condition | null {
  if (!name.startsWith('$')) return parseField(name, operand)
  switch (name) {
    case '$and':
      return allHold(subfilters(name, operand))
    case '$or': {
      const branches = subfilters(name, operand)
      const [only] = branches
      if (only !== undefined && branches.length === 1) return only
      return { matches: (document) => branches.some(({ matches }) => matches(document)), comparisons: [] }
    }
    case '$nor': {
      const branches = subfilters(name, operand)
      return { matches: (document) => !branches.some(({ matches }) => matches(document)), comparisons: [] }
    }
    case '$expr':
      return { matches: fieldComparison(operand), comparisons: [] }
    case '$comment':
      return null
    default:
      if (ABSENT.has(name)) throw notImplemented(`the query operator ${name}`)
      throw new CommandError(
        2,
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`
      )
  }
}

function allHold(parts: readonly Condition[]): Condition {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return {
    matches: (document) => parts.every(({ matches }) => matches(document)),
    comparisons: parts.flatMap(({ comparisons }) => comparisons)
  }
}

function subfilters(name: string, operand: Value): Condition[] {
  if (!Array.isArray(operand)) throw new CommandError(2, `${name} argument must be an array`)
  if (operand.length === 0) throw new CommandError(2, '$and/$or/$nor must be a nonempty array')
  return operand.map((item) => {
    if (!isDocument(item)) throw new CommandError(2, '$or/$and/$nor entries need to be full objects')
    return parseFilter(item)
  })
}

function parseField(path: string, operand: Value): Condition {
  const tests = testsOf(operand)
  const parts = path.split('.')
  return {
    matches: (document) => {
      const values = valuesAt(document, parts)
      return tests.every((test) => holdsAt(values, test))
    },
    comparisons: comparisonsOf(path, operand)
  }
}

/** Whether a test holds on the values at a path. */
function holdsAt(values: readonly (Value | undefined)[], { test, reach, negated = false }: FieldTest): boolean {
  for (const value of values) {
    if (test(value) || (reach === 'elements' && Array.isArray(value) && value.some((item) => test(item)))) {
      return !negated
    }
  }
  return negated
}

function testsOf(operand: Value): readonly FieldTest[] {
  if (isRegex(operand)) return [{ test: regexTest(operand), reach: 'elements' }]
  return isOperators(operand) ? parseOperators(operand) : [{ test: equals(operand), reach: 'elements' }]
}

function isOperators(operand: Value): operand is Document {
  if (!isDocument(operand)) return false
  const first = firstName(operand)
  return first.startsWith('$') && !['$ref', '$id', '$db'].includes(first)
}

function parseOperators(operators: Document): FieldTest[] {
  return [...operators].flatMap(([name, operand]) => {
    const build = OPERATORS.get(name)
    if (build === undefined) {
      if (ABSENT.has(name)) throw notImplemented(`the query operator ${name}`)
      throw new CommandError(2, `unknown operator: ${name}`)
    }
    return build(operand, operators) ?? []
  })
}

/** The test of `{ $gt: 1, $lt: 5 }` on one value: the operators hold together. */
export function operatorsTest(operators: Document): ValueTest {
  const tests = parseOperators(operators)
  return (value) => tests.every((test) => holdsAt([value], test))
}

/** `$not` holds where not all of its operators hold on the field as a whole. */
function negation(operand: Value): FieldTest {
  if (isRegex(operand)) return { test: regexTest(operand), reach: 'elements', negated: true }
  if (isOperators(operand)) return { test: operatorsTest(operand), reach: 'whole', negated: true }
  if (isDocument(operand) && operand.size === 0) throw new CommandError(2, '$not cannot be empty')
  throw new CommandError(2, '$not needs a regex or a document')
}

/** The test of `$elemMatch` on one element. */
export function elementTest(operand: Value): ValueTest {
  if (!isDocument(operand)) throw new CommandError(2, '$elemMatch needs an Object')
  const first = firstName(operand)
  if (first.startsWith('$') && !LOGICAL.has(first)) {
    // An array in the array is one element: it is compared whole, and not entered.
    const tests = parseOperators(operand).map((test): FieldTest => ({ ...test, reach: 'whole' }))
    return (value) => tests.every((test) => holdsAt([value], test))
  }
  const { matches } = parseFilter(operand)
  return (value) => {
    if (isDocument(value)) return matches(value)
    return Array.isArray(value) && matches(new Map(value.map((item, index) => [String(index), item])))
  }
}

function onElements(operand: Value): FieldTest {
  const test = elementTest(operand)
  return { test: (value) => Array.isArray(value) && value.some((item) => test(item)), reach: 'whole' }
}

function allOf(operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, '$all needs an array')
  const tests = operand.map((item): FieldTest => {
    if (isDocument(item) && item.has('$elemMatch')) return onElements(item.get('$elemMatch') ?? null)
    if (isDocument(item) && firstName(item).startsWith('$')) throw new CommandError(2, 'no $ expressions in $all')
    return { test: isRegex(item) ? regexTest(item) : equals(item), reach: 'elements' }
  })
  return { test: (value) => tests.length > 0 && tests.every((test) => holdsAt([value], test)), reach: 'whole' }
}

function comparisonsOf(path: string, operand: Value): Comparison[] {
  if (isRegex(operand)) return []
  if (!isOperators(operand)) return [{ path, operator: '$eq', operand }]
  return [...operand].flatMap(([operator, value]) =>
    INDEXABLE.has(operator) ? [{ path, operator: operator as Comparison['operator'], operand: value }] : []
  )
}

/**
 * The first element of the array at `path` for which the parts of the filter about that array hold: what a positional
 * `$` stands for. -1 where there is none.
 */
export function matchedPosition(filter: Document, path: string, items: readonly Value[]): number {
  const about = conjuncts(filter).filter(([name]) => name === path || name.startsWith(`${path}.`))
  if (about.length === 0) return -1
  const conditions = about.map(([name, operand]) => parseField(name, operand))
  const names = path.split('.')
  return items.findIndex((item) => {
    const around = names.reduceRight<Value>((inner, name) => new Map([[name, inner]]), [item])
    return isDocument(around) && conditions.every(({ matches }) => matches(around))
  })
}

function conjuncts(filter: Document): [string, Value][] {
  return [...filter].flatMap(([name, operand]): [string, Value][] => {
    if (name !== '$and' || !Array.isArray(operand)) return [[name, operand]]
    return operand.filter(isDocument).flatMap(conjuncts)
  })
}
