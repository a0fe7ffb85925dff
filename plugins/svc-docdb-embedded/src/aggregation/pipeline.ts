/**
 * Pipelines. `$match $sort $skip $limit $count $unset $lookup`, plain projections and plain groups are the engine's own, on unchanged values;
 * stages that compute go through mingo one by one; every other stage is refused before anything is read.
 */
import { Int32 } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
import { projector } from '../query/projection.ts'
import { parseSort, sortDocuments } from '../query/sort.ts'
import { toDouble } from '../values/numbers.ts'
import { type Document, firstName, isDocument, isNumber, type Value } from '../values/value.ts'
import { COMPUTED_STAGES, checkComputedStage, runComputedStage } from './computed-stages.ts'
import { type Expression, exactExpression } from './exact-expression.ts'
import { lookup, type Neighbour } from './lookup.ts'
import { valueGroup } from './value-group.ts'

export type Stage = (documents: readonly Document[]) => readonly Document[]

/** Stages of MongoDB that are not here. */
const ABSENT: ReadonlySet<string> = new Set([
  ...['$bucket', '$bucketAuto', '$changeStream', '$collStats', '$currentOp', '$densify', '$documents', '$facet'],
  ...['$fill', '$geoNear', '$graphLookup', '$indexStats', '$listSessions', '$merge', '$out', '$planCacheStats'],
  ...['$redact', '$sample', '$search', '$setWindowFields', '$unionWith']
])

/** @throws CommandError 40324 for an unknown stage, 40323 for one that is not a single field, 238 for one not available */
export function parsePipeline(pipeline: readonly Document[], neighbour: Neighbour): Stage[] {
  return pipeline.map((stage) => {
    const [[name, operand] = ['', null]] = stage
    if (stage.size === 1) return parseStage(name, operand, neighbour)
    throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.')
  })
}

function parseStage(name: string, operand: Value, neighbour: Neighbour): Stage {
  const own = OWN_STAGES.get(name)?.(operand) ?? null
  if (own !== null) return own
  if (name === '$lookup') return lookup(operand, neighbour, (pipeline) => ownStages(pipeline, neighbour))
  if (COMPUTED_STAGES.has(name)) {
    checkComputedStage(name, operand)
    return (documents) => runComputedStage(name, operand, documents)
  }
  if (ABSENT.has(name)) throw notImplemented(`the aggregation stage ${name}`)
  throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`)
}

/** @throws CommandError 238 for a stage that computes: of these, values pass unchanged */
function ownStages(pipeline: readonly Document[], neighbour: Neighbour): Stage[] {
  for (const stage of pipeline) {
    const [[name, operand] = ['', null]] = stage
    const own = OWN_STAGES.get(name)?.(operand) ?? null
    if (own === null) throw notImplemented(`the aggregation stage ${name} within $lookup`)
  }
  return parsePipeline(pipeline, neighbour)
}

/** Null where a stage is not simple enough for the engine itself. */
const OWN_STAGES = new Map(
  Object.entries<(operand: Value) => Stage | null>({
    $match: (operand) => {
      if (!isDocument(operand)) throw new CommandError(15959, 'the match filter must be an expression in an object')
      const { matches } = parseFilter(operand)
      return (documents) => documents.filter(matches)
    },
    $sort: (operand) => {
      if (!isDocument(operand)) throw new CommandError(15973, 'the $sort key specification must be an object')
      if (operand.size === 0) throw new CommandError(15976, '$sort stage must have at least one sort key')
      const fields = parseSort(operand)
      return (documents) => sortDocuments(documents, fields, (document) => document)
    },
    $skip: (operand) => {
      const skip = wholeNumber(operand, 0, 15972, '$skip')
      return (documents) => documents.slice(skip)
    },
    $limit: (operand) => {
      const limit = wholeNumber(operand, 1, 15958, '$limit')
      return (documents) => documents.slice(0, limit)
    },
    $count: (operand) => {
      if (typeof operand !== 'string' || operand === '' || /[.$]/.test(operand)) {
        throw new CommandError(40156, 'the count field must be a non-empty string without $ and .')
      }
      return (documents) => (documents.length === 0 ? [] : [new Map([[operand, new Int32(documents.length)]])])
    },
    $unset: (operand) => {
      const paths = Array.isArray(operand) ? operand : [operand]
      if (paths.length === 0 || paths.some((path) => typeof path !== 'string')) {
        throw new CommandError(31002, '$unset specification must be a string or an array of strings')
      }
      return projecting(new Map(paths.map((path) => [String(path), false])))
    },
    $project: (operand) => {
      if (!isDocument(operand)) throw new CommandError(15969, '$project specification must be an object')
      if (operand.size === 0) throw new CommandError(51272, '$project specification must have at least one field')
      return isPlain(operand) ? projecting(operand) : null
    },
    $addFields: addedFields,
    $group: valueGroup
  })
)

function projecting(projection: Document): Stage {
  const project = projector(projection, new Map())
  return (documents) => documents.map(project)
}

/** Fields at the top, of exact expressions. */
function addedFields(operand: Value): Stage | null {
  if (!isDocument(operand)) return null
  const fields = [...operand].map(([name, value]) => [name, addedField(name, value)] as const)
  if (fields.some(([, expression]) => expression === null)) return null
  return (documents) =>
    documents.map((document) => {
      const added = new Map(document)
      for (const [name, expression] of fields) {
        const value = expression?.(document)
        if (value === undefined) added.delete(name)
        else added.set(name, value)
      }
      return added
    })
}

/** A document without an operator is joined with the one that is there, elsewhere. */
function addedField(name: string, operand: Value): Expression | null {
  const joins = isDocument(operand) && !firstName(operand).startsWith('$')
  return joins || name.includes('.') ? null : exactExpression(operand)
}

function isPlain(projection: Document): boolean {
  return [...projection].every(([name, value]) => {
    if (name.startsWith('$')) return false
    return isDocument(value) ? isPlain(value) : isNumber(value) || typeof value === 'boolean'
  })
}

function wholeNumber(operand: Value, minimum: number, code: number, stage: string): number {
  const number = toDouble(operand)
  if (Number.isInteger(number) && number >= minimum) return number
  throw new CommandError(code, `invalid argument to ${stage} stage: Expected an integer of at least ${minimum}`)
}
