/**
 * The stages that compute, by mingo: `$group $project $addFields $unwind $lookup` and their like. Only operators that
 * were seen to do what MongoDB does pass; any other is refused before a document is read.
 */
import { aggregate } from 'mingo'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import { fromPlain, toPlain } from './plain-values.ts'

export const COMPUTED_STAGES: ReadonlySet<string> = new Set([
  ...['$group', '$project', '$addFields', '$set', '$unwind', '$replaceRoot', '$replaceWith', '$sortByCount', '$lookup']
])

const ACCUMULATORS: ReadonlySet<string> = new Set([
  ...['$sum', '$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet', '$count', '$mergeObjects']
])

const EXPRESSIONS: ReadonlySet<string> = new Set([
  ...ACCUMULATORS,
  ...[
    '$abs',
    '$add',
    '$ceil',
    '$divide',
    '$floor',
    '$mod',
    '$multiply',
    '$subtract',
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt'
  ],
  ...['$lte', '$cmp', '$and', '$or', '$not', '$cond', '$ifNull', '$switch', '$concat', '$toLower', '$toUpper'],
  ...['$substrCP', '$strLenCP', '$split', '$trim', '$size', '$arrayElemAt', '$in', '$filter', '$map', '$reduce'],
  ...['$concatArrays', '$isArray', '$reverseArray', '$slice', '$objectToArray', '$arrayToObject', '$literal', '$let'],
  ...['$year', '$month', '$dayOfMonth', '$hour', '$minute', '$second', '$dateToString']
])

/** The documents of another collection of the database, for `$lookup`. */
export type Neighbour = (name: string) => readonly Document[]

/** @throws CommandError 168 or 15952 for an operator that is not known here */
export function checkComputedStage(name: string, operand: Value): void {
  if (name === '$lookup') {
    checkLookup(operand)
    return
  }
  if (name === '$group') checkAccumulators(operand)
  checkExpression(operand)
}

export function runComputedStage(
  name: string,
  operand: Value,
  documents: readonly Document[],
  neighbour: Neighbour
): Document[] {
  const stage = toPlain(new Map([[name, operand]]))
  const input = documents.map(toPlain)
  try {
    const results = aggregate(input, [stage], { collectionResolver: (other) => neighbour(other).map(toPlain) })
    return results.map(fromPlain)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(2, `${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkLookup(operand: Value): void {
  if (!isDocument(operand)) throw new CommandError(9, 'the $lookup specification must be an Object')
  for (const [name, value] of operand) {
    if (name === 'pipeline' || name === 'let') throw notImplemented('$lookup with a pipeline')
    if (!['from', 'localField', 'foreignField', 'as'].includes(name))
      throw new CommandError(9, `unknown argument to $lookup: ${name}`)
    if (typeof value !== 'string') throw new CommandError(9, `$lookup argument '${name}' must be a string`)
  }
  if (operand.size !== 4) throw new CommandError(9, '$lookup needs from, localField, foreignField and as')
}

function checkAccumulators(operand: Value): void {
  if (!isDocument(operand)) throw new CommandError(15947, "a group's fields must be specified in an object")
  if (!operand.has('_id')) throw new CommandError(15955, 'a group specification must include an _id')
  for (const [field, accumulator] of operand) {
    if (field === '_id') continue
    if (!isDocument(accumulator)) throw new CommandError(40234, `The field '${field}' must be an accumulator object`)
    const [name = ''] = [...accumulator.keys()]
    if (accumulator.size !== 1) throw new CommandError(40238, `The field '${field}' must specify one accumulator`)
    if (!ACCUMULATORS.has(name)) throw new CommandError(15952, `unknown group operator '${name}'`)
  }
}

function checkExpression(operand: Value): void {
  if (Array.isArray(operand)) {
    for (const item of operand) checkExpression(item)
    return
  }
  if (!isDocument(operand)) return
  for (const [name, value] of operand) {
    if (name.startsWith('$') && !EXPRESSIONS.has(name)) throw new CommandError(168, `Unrecognized expression '${name}'`)
    if (name !== '$literal') checkExpression(value)
  }
}
