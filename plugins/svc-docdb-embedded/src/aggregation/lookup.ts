/**
 * `$lookup` by equal values, on unchanged values: a list has each of its items, null is also what is absent. A pipeline of
 * stages of the engine's own may follow, on what was found for each document.
 */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { valuesAt } from '../query/paths.ts'
import { compareValues } from '../values/compare-values.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'

type Stage = (documents: readonly Document[]) => readonly Document[]

/** The documents of another collection of the database. */
export type Neighbour = (name: string) => readonly Document[]

interface Lookup {
  readonly from: string
  readonly localField: string
  readonly foreignField: string
  readonly as: string
}

const NAMES = ['from', 'localField', 'foreignField', 'as'] as const

/** @param stagesOf a pipeline @throws CommandError 9 for a malformed one, 238 for one that says more */
export function lookup(
  operand: Value,
  neighbour: Neighbour,
  stagesOf: (pipeline: readonly Document[]) => readonly Stage[]
): Stage {
  const { from, localField, foreignField, as } = readLookup(operand)
  const pipeline = (operand as Document).get('pipeline') ?? []
  if (!Array.isArray(pipeline) || !pipeline.every(isDocument)) throw new CommandError(14, "'pipeline' must be an array")
  const stages = stagesOf(pipeline)
  const [local, foreign, target] = [localField, foreignField, as].map((path) => path.split('.')) as [
    string[],
    string[],
    string[]
  ]
  if (target.length > 1) throw notImplemented('$lookup into a nested field')
  return (documents) => {
    const found = sortedByValue(neighbour(from), foreign)
    return documents.map((document) => {
      const matching = new Set(keysOf(document, local).flatMap((key) => matchesOf(found, key)))
      const result = stages.reduce<readonly Document[]>((rows, stage) => stage(rows), [...matching])
      return new Map([...document, [as, [...result]]])
    })
  }
}

function readLookup(operand: Value): Lookup {
  if (!isDocument(operand)) throw new CommandError(9, 'the $lookup specification must be an Object')
  for (const [name, value] of operand) {
    if (name === 'let') throw notImplemented('$lookup with let')
    if (name === 'pipeline') continue
    if (!NAMES.some((known) => known === name)) throw new CommandError(9, `unknown argument to $lookup: ${name}`)
    if (typeof value !== 'string') throw new CommandError(9, `$lookup argument '${name}' must be a string`)
  }
  const missing = NAMES.find((name) => !operand.has(name))
  if (missing === undefined) return Object.fromEntries(operand) as unknown as Lookup
  if (operand.has('pipeline')) throw notImplemented('$lookup with a pipeline alone')
  throw new CommandError(9, 'the $lookup stage needs from, localField, foreignField and as')
}

function keysOf(document: Document, path: readonly string[]): Value[] {
  const values = valuesAt(document, path).map((value) => value ?? null)
  const keys = values.flatMap((value) => (Array.isArray(value) ? value : [value]))
  return keys.length === 0 ? [null] : keys
}

type Keyed = readonly [key: Value, document: Document]

function sortedByValue(documents: readonly Document[], path: readonly string[]): readonly Keyed[] {
  const keyed = documents.flatMap((document) => keysOf(document, path).map((key): Keyed => [key, document]))
  return keyed.sort(([a], [b]) => compareValues(a, b))
}

function matchesOf(sorted: readonly Keyed[], key: Value): Document[] {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareValues((sorted[middle] as Keyed)[0], key) < 0) low = middle + 1
    else high = middle
  }
  const found: Document[] = []
  for (let place = low; place < sorted.length; place++) {
    const [held, document] = sorted[place] as Keyed
    if (compareValues(held, key) !== 0) break
    found.push(document)
  }
  return found
}
