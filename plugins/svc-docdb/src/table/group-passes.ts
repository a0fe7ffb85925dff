/**
 * Groups whose measures are of some rows only, or of different values: one pipeline for each of these measures, and one
 * for all others, joined by what the groups share.
 */
import { type Condition, chosenGroups, type Group, type Grouping, type Measure, valuesText } from 'svc-stores/table'

/** One pipeline. */
export interface GroupPass {
  /** What its rows meet besides. */
  readonly where: readonly Condition[]
  readonly grouping: Grouping
}

/** Whether one pipeline does. Of no document the server makes no group, of which something could be asked. */
export function isOnePass({ by, measures, having = [] }: Grouping): boolean {
  return (by.length > 0 || having.length === 0) && Object.values(measures).every(isPlain)
}

/** @param run answers the groups of one pipeline, with its measures */
export async function groupInPasses(
  grouping: Grouping,
  run: (pass: GroupPass) => Promise<readonly Group[]>
): Promise<Group[]> {
  const { by, parts, reached, measures } = grouping
  const shared = { by, ...(parts !== undefined && { parts }), ...(reached !== undefined && { reached }) }
  const named = Object.entries(measures)
  const plain = Object.fromEntries(named.filter(([, measure]) => isPlain(measure)))
  const groups = await run({ where: [], grouping: { ...shared, measures: plain } })
  const found = new Map(groups.map((group) => [keyOf(group, by), { ...group }]))
  for (const [name, { where = [], ...measure }] of named.filter(([, measure]) => !isPlain(measure))) {
    const nothing = measure.of === 'count' || measure.of === 'countDistinct' ? 0 : null
    for (const group of found.values()) Object.assign(group, { [name]: nothing })
    for (const part of await run({ where, grouping: { ...shared, measures: { [name]: measure as Measure } } })) {
      // A group that another caller made meanwhile is left out, as by the first pipeline.
      const group = found.get(keyOf(part, by))
      if (group !== undefined) Object.assign(group, { [name]: part[name] })
    }
  }
  return chosenGroups([...found.values()], grouping)
}

/** Whose different values a pass counts: its one measure, else `null`. */
export function distinctColumn({ measures }: Grouping): string | null {
  const [measure] = Object.values(measures)
  return measure?.of === 'countDistinct' ? measure.column : null
}

function isPlain({ of, where = [] }: Measure): boolean {
  return of !== 'countDistinct' && where.length === 0
}

function keyOf(group: Group, by: readonly string[]): string {
  return valuesText(by.map((name) => group[name] ?? null))
}
