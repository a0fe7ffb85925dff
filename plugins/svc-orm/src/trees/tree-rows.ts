/** The rows below or above a row, parents before children. */
import { isRecord, MOST_TREE_LEVELS } from 'svc-stores/table'
import { isDepth } from '../criteria/tree-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidCriteria, InvalidFindOptions, TreeTooDeep, TreeTooLarge } from '../errors.ts'

/** They are sorted here, and so are all in memory. */
const MOST_ROWS = 10_000

const WITHOUT_PAGES = ['limit', 'offset', 'lock']

/** A repository, as its trees are read. */
interface FoundRows {
  find(criteria: Readonly<Record<string, unknown>>, options: object): Promise<AnyRow[]>
}

interface ReadOptions {
  readonly self: boolean
  readonly maxDepth: number | null
  readonly depthAs: string | null
  /** Of the find. */
  readonly shape: Readonly<Record<string, unknown>>
}

/** @throws InvalidCriteria, InvalidFindOptions, TreeTooLarge, TreeTooDeep for rows that other software wrote */
export async function treeRows(
  rows: FoundRows,
  entity: CompiledEntity,
  operation: 'descendants' | 'ancestors',
  id: unknown,
  options: unknown = {}
): Promise<AnyRow[]> {
  if (typeof id !== 'string') throw new InvalidCriteria(operation, `the id of a row of ${entity.name}`)
  const { self, maxDepth, depthAs, shape } = readOptions(entity, operation, options)
  const parent = entity.tree?.field ?? ''
  const { select } = shape
  const isUnasked = Array.isArray(select) && !select.includes(parent)
  const asked = isUnasked ? { ...shape, select: [...select, parent] } : shape
  const isBelow = operation === 'descendants'
  const found = await (isBelow ? rowsBelow : rowsAbove)(rows, entity, id, maxDepth, asked)
  const levels = isBelow ? levelsBelow(found, id, parent) : levelsAbove(found, id, parent)
  if (isUnasked) for (const row of found) delete row[parent]
  if (depthAs !== null) for (const [depth, level] of levels.entries()) for (const row of level) row[depthAs] = depth
  if (!self) levels.shift()
  return (isBelow ? levels : levels.reverse()).flat()
}

async function rowsBelow(
  rows: FoundRows,
  { name }: CompiledEntity,
  id: string,
  maxDepth: number | null,
  asked: object
): Promise<AnyRow[]> {
  const start = { id, ...(maxDepth !== null && { $depth: maxDepth }) }
  const found = await rows.find({ $within: start }, { ...asked, limit: MOST_ROWS + 1 })
  if (found.length > MOST_ROWS) throw new TreeTooLarge(String(MOST_ROWS), name)
  return found
}

async function rowsAbove(
  rows: FoundRows,
  { name }: CompiledEntity,
  id: string,
  maxDepth: number | null,
  asked: object
): Promise<AnyRow[]> {
  const found = await rows.find({ $pathTo: { id, $depth: maxDepth ?? MOST_TREE_LEVELS } }, asked)
  if (maxDepth === null && found.length > MOST_TREE_LEVELS) throw new TreeTooDeep(name, String(MOST_TREE_LEVELS))
  return found
}

function readOptions(entity: CompiledEntity, operation: string, options: unknown): ReadOptions {
  if (!isRecord(options)) throw new InvalidFindOptions(`options of ${operation}`, 'an object')
  const { self = false, maxDepth = null, depthAs = null, ...shape } = options
  const refused = operation === 'ancestors' ? [...WITHOUT_PAGES, 'order'] : WITHOUT_PAGES
  for (const name of refused) {
    if (name in shape) throw new InvalidFindOptions(name, `no such option of ${operation}`)
  }
  if (typeof self !== 'boolean') throw new InvalidFindOptions('self', 'true or false')
  if (maxDepth !== null && !isDepth(maxDepth)) throw new InvalidFindOptions('maxDepth', 'an integer from 1 to 100')
  const isTaken = (name: string) =>
    name === 'id' || name === 'counts' || entity.fields.has(name) || entity.relations.has(name)
  if (depthAs !== null && (typeof depthAs !== 'string' || depthAs === '' || isTaken(depthAs)))
    throw new InvalidFindOptions('depthAs', `a name that is no field or relation of ${entity.name}`)
  return { self, maxDepth, depthAs, shape }
}

/** The rows of each depth. */
function levelsBelow(rows: readonly AnyRow[], id: string, parent: string): AnyRow[][] {
  const below = Map.groupBy(rows, (row) => row[parent] as string | null)
  const depths = new Map([[id, 0]])
  // A map is walked in the order in which it grows.
  for (const [at, depth] of depths) {
    for (const row of below.get(at) ?? []) if (!depths.has(row.id)) depths.set(row.id, depth + 1)
  }
  const levels: AnyRow[][] = [[]]
  for (const row of rows) {
    const depth = depths.get(row.id) ?? 0
    const level = levels[depth] ?? []
    levels[depth] = level
    level.push(row)
  }
  return levels
}

/** One row of each depth, as far as rows lead on. */
function levelsAbove(rows: readonly AnyRow[], id: string, parent: string): AnyRow[][] {
  const left = new Map(rows.map((row) => [row.id, row]))
  const levels: AnyRow[][] = []
  for (let row = left.get(id); row !== undefined; row = left.get(row[parent] as string)) {
    left.delete(row.id)
    levels.push([row])
  }
  return levels
}
