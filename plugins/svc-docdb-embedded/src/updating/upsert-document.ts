/** The document an upsert begins with: the fields its filter holds equal to a value. */
import { CommandError } from '../failure/command-error.ts'
import { type Document, isDocument, isRegex, type Value } from '../values/value.ts'
import { writeAt } from './update-target.ts'

/** @throws CommandError 54 when the filter gives one field two values */
export function upsertDocument(filter: Document): Document {
  const document: Document = new Map()
  const taken = new Set<string>()
  for (const [path, value] of equalities(filter)) {
    if (taken.has(path)) throw new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`)
    taken.add(path)
    writeAt(document, path.split('.'), value)
  }
  return document
}

function equalities(filter: Document): [string, Value][] {
  return [...filter].flatMap(([name, operand]): [string, Value][] => {
    if (name === '$and' || name === '$or') return branches(name, operand).flatMap(equalities)
    return name.startsWith('$') ? [] : equality(name, operand)
  })
}

/** One branch of `$or` is as sure as `$and`; of several, none is. */
function branches(name: string, operand: Value): Document[] {
  const all = Array.isArray(operand) ? operand.filter(isDocument) : []
  return name === '$or' && all.length !== 1 ? [] : all
}

function equality(path: string, operand: Value): [string, Value][] {
  if (isRegex(operand)) return []
  if (!isDocument(operand) || !String([...operand.keys()][0]).startsWith('$')) return [[path, operand]]
  const [equal, all] = [operand.get('$eq'), operand.get('$all')]
  if (equal !== undefined) return [[path, equal]]
  const [only] = Array.isArray(all) && all.length === 1 ? all : []
  return only === undefined || isDocument(only) ? [] : [[path, only]]
}
