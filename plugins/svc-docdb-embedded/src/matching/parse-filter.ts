/**
 * Filters: `{ a: 1, b: { $gt: 2 }, $or: [...] }` into a test of documents. What is not known is refused with
 * MongoDB's codes, never skipped.
 */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { type Document, isDocument, isRegex, type Value } from '../values/value.ts'
import { arrayOperators } from './array-operators.ts'
import { comparisonOperators, equals } from './comparison-operators.ts'
import type { Comparison, Condition, FieldTest, OperatorBuilder, Parser } from './condition.ts'
import { elementOperators } from './element-operators.ts'
import { regexOperators, regexTest } from './regex-operators.ts'
import { holdsAt, valuesAt } from './values-at.ts'

const OPERATORS = new Map<string, OperatorBuilder>(
  Object.entries({ ...comparisonOperators, ...elementOperators, ...regexOperators, ...arrayOperators })
)

/** Operators of MongoDB that are not here; they are refused by name. */
const ABSENT: ReadonlySet<string> = new Set([
  ...['$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$geoWithin', '$geoIntersects', '$near'],
  ...['$nearSphere', '$expr', '$where', '$text', '$jsonSchema', '$sampleRate']
])

const INDEXABLE: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte'])

/** What holds conditions of its own is handed this. */
export const filterParser: Parser = { filter: parseFilter, operators: parseOperators }

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
      return tests.every(({ test, reach, negated = false }) => holdsAt(values, test, reach) !== negated)
    },
    comparisons: comparisonsOf(path, operand)
  }
}

function testsOf(operand: Value): readonly FieldTest[] {
  if (isRegex(operand)) return [{ test: regexTest(operand), reach: 'elements' }]
  return isOperators(operand) ? parseOperators(operand) : [{ test: equals(operand), reach: 'elements' }]
}

function isOperators(operand: Value): operand is Document {
  if (!isDocument(operand)) return false
  const first = [...operand.keys()][0] ?? ''
  return first.startsWith('$') && !['$ref', '$id', '$db'].includes(first)
}

function parseOperators(operators: Document): FieldTest[] {
  return [...operators].flatMap(([name, operand]) => {
    if (name === '$not') return [negation(operand)]
    const build = OPERATORS.get(name)
    if (build === undefined) {
      if (ABSENT.has(name)) throw notImplemented(`the query operator ${name}`)
      throw new CommandError(2, `unknown operator: ${name}`)
    }
    const test = build(operand, filterParser, operators)
    return test === null ? [] : [test]
  })
}

/** `$not` holds where not all of its operators hold on the field as a whole. */
function negation(operand: Value): FieldTest {
  if (isRegex(operand)) return { test: regexTest(operand), reach: 'elements', negated: true }
  if (!isOperators(operand)) {
    if (isDocument(operand) && operand.size === 0) throw new CommandError(2, '$not cannot be empty')
    throw new CommandError(2, '$not needs a regex or a document')
  }
  const tests = parseOperators(operand)
  const test = (value: Value | undefined) =>
    tests.every((part) => holdsAt([value], part.test, part.reach) !== (part.negated ?? false))
  return { test, reach: 'whole', negated: true }
}

function comparisonsOf(path: string, operand: Value): Comparison[] {
  if (isRegex(operand)) return []
  if (!isOperators(operand)) return [{ path, operator: '$eq', operand }]
  return [...operand].flatMap(([operator, value]) =>
    INDEXABLE.has(operator) ? [{ path, operator: operator as Comparison['operator'], operand: value }] : []
  )
}
