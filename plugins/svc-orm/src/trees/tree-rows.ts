/** The rows below or above a row, parents before children. */
import { isRecord, MOST_TREE_LEVELS } from 'svc-stores/table'
import { isDepth } from '../criteria/tree-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidCriteria, InvalidFindOptions, TreeTooDeep, TreeTooLarge } from '../errors.ts'

/** They are sorted here, and so are all in memory. */
const MOST_ROWS = 10_000

const WITHOUT_PAGES = ['limit', 'offset', 'lock']
const REFUSED = { descendants: WITHOUT_PAGES, ancestors: [...WITHOUT_PAGES, 'order'] }

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
  options?: unknown
): Promise<AnyRow[]> {
  if (typeof id !== 'string') throw new InvalidCriteria(operation, `the id of a row of ${entity.name}`)
  const { self, maxDepth, depthAs, shape } = readOptions(entity, operation, options)
  const parent = entity.tree?.field ?? ''
  const { select } = shape
  const isUnasked = Array.isArray(select) && !select.includes(parent)
  const asked = isUnasked ? { ...shape, select: [...select, parent] } : shape
  const isBelow = operation === 'descendants'
  const found = await (isBelow ? rowsBelow : rowsAbove)(rows, entity, id, maxDepth, asked)
  const placed = (isBelow ? placedBelow : placedAbove)(found, id, parent, { self, depthAs })
  if (isUnasked) for (const row of found) delete row[parent]
  return placed
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

const ALL: ReadOptions = { self: false, maxDepth: null, depthAs: null, shape: {} }

function readOptions(entity: CompiledEntity, operation: keyof typeof REFUSED, options: unknown): ReadOptions {
  if (options === undefined) return ALL
  if (!isRecord(options)) throw new InvalidFindOptions(`options of ${operation}`, 'an object')
  const { self = false, maxDepth = null, depthAs = null, ...shape } = options
  for (const name of REFUSED[operation]) {
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

type Shown = Pick<ReadOptions, 'self' | 'depthAs'>

/** Level by level. */
function placedBelow(rows: readonly AnyRow[], id: string, parent: string, { self, depthAs }: Shown): AnyRow[] {
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
    if (depthAs !== null) row[depthAs] = depth
  }
  if (!self) levels.shift()
  return levels.flat()
}

/** From above down to the row, as far as rows lead on. A path is short: what hashes ids takes longer. */
function placedAbove(rows: readonly AnyRow[], id: string, parent: string, { self, depthAs }: Shown): AnyRow[] {
  const path: AnyRow[] = []
  for (let row = rowOf(rows, id); row !== undefined && !path.includes(row); row = rowOf(rows, row[parent])) {
    if (depthAs !== null) row[depthAs] = path.length
    path.push(row)
  }
  if (!self) path.shift()
  return path.reverse()
}

function rowOf(rows: readonly AnyRow[], id: unknown): AnyRow | undefined {
  return rows.find((row) => row.id === id)
}
