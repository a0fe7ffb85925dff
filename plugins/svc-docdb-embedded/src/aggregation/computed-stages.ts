/**
 * The stages that compute, by mingo: `$group $project $addFields $unwind` and their like. It computes on plain
 * JavaScript values. Only operators that were seen to do what MongoDB does pass; any other, and any value that would
 * not survive the way, is refused: a sum that silently skipped a decimal would be wrong without a sign of it.
 */
import { createRequire } from 'node:module'
import { Double, Int32 } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { toDouble } from '../values/numbers.ts'
import { type Document, firstName, isDocument, isNumber, type Value } from '../values/value.ts'

export const COMPUTED_STAGES: ReadonlySet<string> = new Set([
  ...['$group', '$project', '$addFields', '$set', '$unwind', '$replaceRoot', '$replaceWith', '$sortByCount']
])

const ACCUMULATORS = words('$sum $avg $min $max $first $last $push $addToSet $count $mergeObjects')

const EXPRESSIONS: ReadonlySet<string> = new Set([
  ...ACCUMULATORS,
  ...words('$abs $add $ceil $divide $floor $mod $multiply $subtract $eq $ne $gt $gte $lt $lte $cmp $and $or $not'),
  ...words('$cond $ifNull $switch $concat $toLower $toUpper $substrCP $strLenCP $split $trim $size $arrayElemAt $in'),
  ...words('$filter $map $reduce $concatArrays $isArray $reverseArray $slice $objectToArray $arrayToObject $literal'),
  ...words('$let $year $month $dayOfMonth $hour $minute $second $dateToString')
])

function words(names: string): readonly string[] {
  return names.split(' ')
}

type Plain = Record<string, unknown>

/** mingo is three hundred files, and few pipelines compute: the first that does loads it. */
const load = createRequire(import.meta.url)

/** @throws CommandError 168 or 15952 for an operator that is not known here */
export function checkComputedStage(name: string, operand: Value): void {
  if (name === '$group') checkAccumulators(operand)
  checkExpression(operand)
}

/** @throws CommandError 238 for decimals, and for integers that a double cannot hold */
export function runComputedStage(name: string, operand: Value, documents: readonly Document[]): Document[] {
  const stage = toPlain(new Map([[name, operand]]))
  const read = name === '$group' ? fieldsRead(operand) : null
  const input = documents.map((document) => toPlain(read === null ? document : only(document, read)))
  const { aggregate } = load('mingo') as typeof import('mingo')
  try {
    const results = aggregate(input, [stage])
    return results.map((result) => fromPlain(name === '$project' ? idFirst(result) : result))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(2, `${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Top-level fields that a group is made of: what it does not read need not survive the way. `null`: whole documents. */
function fieldsRead(operand: Value): ReadonlySet<string> | null {
  if (typeof operand === 'string') {
    if (operand.startsWith('$$')) return null
    return new Set(operand.startsWith('$') ? [operand.slice(1).split('.')[0] as string] : [])
  }
  const parts = isDocument(operand) ? [...operand.values()] : Array.isArray(operand) ? operand : []
  const read = parts.map(fieldsRead)
  return read.includes(null) ? null : new Set(read.flatMap((fields) => [...(fields as ReadonlySet<string>)]))
}

function only(document: Document, fields: ReadonlySet<string>): Document {
  return new Map([...document].filter(([name]) => fields.has(name)))
}

/** mingo puts `_id` last; MongoDB keeps it first. */
function idFirst({ _id, ...fields }: Plain): Plain {
  return { _id, ...fields }
}

function checkAccumulators(operand: Value): void {
  if (!isDocument(operand)) throw new CommandError(15947, "a group's fields must be specified in an object")
  if (!operand.has('_id')) throw new CommandError(15955, 'a group specification must include an _id')
  for (const [field, accumulator] of operand) {
    if (field === '_id') continue
    if (!isDocument(accumulator)) throw new CommandError(40234, `The field '${field}' must be an accumulator object`)
    const name = firstName(accumulator)
    if (accumulator.size !== 1) throw new CommandError(40238, `The field '${field}' must specify one accumulator`)
    if (!ACCUMULATORS.includes(name)) throw new CommandError(15952, `unknown group operator '${name}'`)
  }
}

function checkExpression(operand: Value): void {
  if (Array.isArray(operand)) {
    for (const item of operand) checkExpression(item)
  }
  if (!isDocument(operand)) return
  for (const [name, value] of operand) {
    if (name.startsWith('$') && !EXPRESSIONS.has(name)) throw new CommandError(168, `Unrecognized expression '${name}'`)
    if (name !== '$literal') checkExpression(value)
  }
}

function toPlain(document: Document): Plain {
  return Object.fromEntries([...document].map(([name, value]) => [name, plainValue(value)]))
}

function plainValue(value: Value): unknown {
  if (isDocument(value)) return toPlain(value)
  if (Array.isArray(value)) return value.map(plainValue)
  if (!isNumber(value)) return value
  const exact =
    value._bsontype !== 'Decimal128' && (value._bsontype !== 'Long' || Number.isSafeInteger(toDouble(value)))
  if (exact) return toDouble(value)
  throw notImplemented('an aggregation stage that computes over decimals, or over integers beyond 53 bits,')
}

function fromPlain(plain: object): Document {
  const fields = Object.entries(plain).filter(([, value]) => value !== undefined)
  return new Map(fields.map(([name, value]) => [name, bsonValue(value)]))
}

function bsonValue(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') {
    const fits = Number.isInteger(value) && Math.abs(value) < 2 ** 31 && !Object.is(value, -0)
    return fits ? new Int32(value) : new Double(value)
  }
  if (Array.isArray(value)) return value.map(bsonValue)
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof Date) return value
  if (typeof value === 'object' && '_bsontype' in value) return value as Exclude<Value, string | boolean | null>
  if (typeof value === 'object') return fromPlain(value)
  throw new CommandError(2, `an aggregation stage gave a value of the type ${typeof value}`)
}
