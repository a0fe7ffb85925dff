/** Walks through trees, in plain code. Pure. */
import type { TreeCondition } from './condition.ts'

type AnyRow = Readonly<Record<string, unknown>>

/** How many levels a tree has at most: writes refuse more, and walks that ask level by level end there. */
export const MOST_TREE_LEVELS = 100

/** A step from rows to the next level: the rows that hold in `to` what these hold in `from`. */
export interface TreeStep {
  readonly from: string
  readonly to: string
}

export function treeStep({ direction, key, parent }: Pick<TreeCondition, 'direction' | 'key' | 'parent'>): TreeStep {
  return direction === 'down' ? { from: key, to: parent } : { from: parent, to: key }
}

/** @param rows those that the walk may cross @param first those of them that it begins with @returns the keys of what it reaches */
export function treeKeys(
  tree: Pick<TreeCondition, 'direction' | 'key' | 'parent' | 'levels'>,
  rows: readonly AnyRow[],
  first: readonly AnyRow[]
): ReadonlySet<unknown> {
  const { key, levels = Number.POSITIVE_INFINITY } = tree
  const { from, to } = treeStep(tree)
  const next = Map.groupBy(rows, (row) => row[to] ?? null)
  const found = new Set(first.map((row) => row[key]))
  let level = first
  for (let depth = 0; level.length > 0 && depth < levels; depth += 1) {
    const below = level.flatMap((row) => (row[from] == null ? [] : (next.get(row[from]) ?? [])))
    level = below.filter((row) => found.size < found.add(row[key]).size)
  }
  return found
}
