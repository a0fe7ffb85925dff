/** The rows below or above a row, parents before children. */
import { isRecord } from 'svc-stores/table'
import { isDepth } from '../criteria/tree-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidCriteria, InvalidFindOptions, TreeTooLarge } from '../errors.ts'

/** They are sorted here, and so are all in memory. */
const MOST_ROWS = 10_000

const WITHOUT_PAGES = ['limit', 'offset', 'lock']

/** A repository, as its trees are read. */
interface FoundRows {
  find(criteria: Readonly<Record<string, unknown>>, options: object): Promise<AnyRow[]>
}

interface ReadOptions {
  readonly self: boolean
  readonly levels: { readonly $depth?: number }
  readonly depthAs: string | null
  /** Of the find. */
  readonly shape: Readonly<Record<string, unknown>>
}

/** @throws InvalidCriteria, InvalidFindOptions, TreeTooLarge */
export async function treeRows(
  rows: FoundRows,
  entity: CompiledEntity,
  operation: 'descendants' | 'ancestors',
  id: unknown,
  options: unknown = {}
): Promise<AnyRow[]> {
  if (typeof id !== 'string') throw new InvalidCriteria(operation, `the id of a row of ${entity.name}`)
  const { self, levels, depthAs, shape } = readOptions(entity, operation, options)
  const parent = entity.tree?.field ?? ''
  const { select } = shape
  const isUnasked = Array.isArray(select) && !select.includes(parent)
  const criteria = { [operation === 'descendants' ? '$within' : '$pathTo']: { id, ...levels } }
  const found = await rows.find(criteria, {
    ...shape,
    ...(isUnasked && { select: [...select, parent] }),
    limit: MOST_ROWS + 1
  })
  if (found.length > MOST_ROWS) throw new TreeTooLarge(String(MOST_ROWS), entity.name)
  const depths = operation === 'descendants' ? depthsBelow(found, id, parent) : depthsAbove(found, id, parent)
  const depthOf = (row: AnyRow) => depths.get(row.id) ?? 0
  const sign = operation === 'descendants' ? 1 : -1
  const sorted = found.filter((row) => self || row.id !== id).sort((a, b) => sign * (depthOf(a) - depthOf(b)))
  for (const row of sorted) {
    if (isUnasked) delete row[parent]
    if (depthAs !== null) row[depthAs] = depthOf(row)
  }
  return sorted
}

function readOptions(entity: CompiledEntity, operation: string, options: unknown): ReadOptions {
  if (!isRecord(options)) throw new InvalidFindOptions(`options of ${operation}`, 'an object')
  const { self = false, maxDepth, depthAs = null, ...shape } = options
  const refused = operation === 'ancestors' ? [...WITHOUT_PAGES, 'order'] : WITHOUT_PAGES
  for (const name of refused) {
    if (name in shape) throw new InvalidFindOptions(name, `no such option of ${operation}`)
  }
  if (typeof self !== 'boolean') throw new InvalidFindOptions('self', 'true or false')
  if (maxDepth !== undefined && !isDepth(maxDepth)) throw new InvalidFindOptions('maxDepth', 'an integer from 1 to 100')
  const taken = ['id', 'counts', ...entity.fields.keys(), ...entity.relations.keys()]
  if (depthAs !== null && (typeof depthAs !== 'string' || depthAs === '' || taken.includes(depthAs)))
    throw new InvalidFindOptions('depthAs', `a name that is no field or relation of ${entity.name}`)
  return { self, levels: maxDepth === undefined ? {} : { $depth: maxDepth }, depthAs, shape }
}

function depthsBelow(rows: readonly AnyRow[], id: string, parent: string): ReadonlyMap<string, number> {
  const below = Map.groupBy(rows, (row) => row[parent] as string | null)
  const depths = new Map([[id, 0]])
  // A map is walked in the order in which it grows.
  for (const [at, depth] of depths) {
    for (const row of below.get(at) ?? []) if (!depths.has(row.id)) depths.set(row.id, depth + 1)
  }
  return depths
}

function depthsAbove(rows: readonly AnyRow[], id: string, parent: string): ReadonlyMap<string, number> {
  const above = new Map(rows.map((row) => [row.id, row[parent] as string | null]))
  const depths = new Map<string, number>()
  for (let at: string | null = id; at !== null && !depths.has(at); at = above.get(at) ?? null)
    depths.set(at, depths.size)
  return depths
}
