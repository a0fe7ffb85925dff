/**
 * Walks through trees of documents, level by level: one query for each. The keys that a walk reaches take the place of its
 * condition.
 */
import { TreeTooDeep } from 'svc-stores'
import {
  among,
  type Condition,
  type ConditionValue,
  MOST_TREE_LEVELS,
  recordOf,
  type Table,
  type TreeCondition,
  treeStep
} from 'svc-stores/table'
import { type AnyRow, bounded, MOST_RELATED, only } from './related-rows.ts'

/** @throws TooManyRelated, TreeTooDeep */
export async function reachedByWalk(tree: TreeCondition, table: Table<object>): Promise<Condition> {
  const { field, key, parent, from, of, levels = MOST_TREE_LEVELS } = tree
  const step = treeStep(tree)
  const found = new Map<ConditionValue | null | undefined, AnyRow>()
  const read = async (asked: readonly Condition[]): Promise<readonly AnyRow[]> => {
    const rows = await table.find([...asked, ...of], { ...only(table.plan, [key, parent]), limit: MOST_RELATED + 1 })
    const met = bounded(table.plan, rows).filter((row) => !found.has(row[key]))
    for (const row of met) found.set(row[key], row)
    bounded(table.plan, [...found.values()])
    return met
  }
  let level = await read(from)
  for (let depth = 0; level.length > 0 && depth < levels; depth += 1) {
    const next = among(
      step.to,
      level.map((row) => row[step.from] ?? null)
    )
    level = next.values.length === 0 ? [] : await read([next])
  }
  if (level.length > 0 && tree.levels === undefined)
    throw new TreeTooDeep(recordOf(table.plan), String(MOST_TREE_LEVELS))
  return among(
    field,
    [...found.values()].map((row) => row[key] ?? null)
  )
}
