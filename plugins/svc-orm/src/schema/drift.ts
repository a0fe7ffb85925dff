/**
 * Drift: where an existing database differs from what is declared. A driver finds the differences when it connects,
 * and on request; this file decides what becomes of them. Nothing is repaired here.
 */
import { BootError, type Problem, warnAtBoot } from 'svc-kernel'
import type { BootReport } from 'svc-kernel/plugin'
import type { TablePlan } from 'svc-stores/table'
import type { StandingTable } from './standing-table.ts'

export interface Difference extends Problem {
  /** Writes fail, or values are misread, as long as it lasts. */
  readonly breaks: boolean
}

/** `warn`: every difference is a warning. `refuse`: one that breaks ends the boot. */
export type DriftPolicy = 'warn' | 'refuse'

/** What a connector tells of its schema. */
export interface SchemaPort {
  /** Looks at the database as it is; nothing is added. At most one per column and index. @throws ConnectionUnavailable */
  differences(): Promise<readonly Difference[]>
  /** The tables of these plans that exist, under their name or the one before. @throws ConnectionUnavailable */
  standing(plans: readonly TablePlan[]): Promise<readonly StandingTable[]>
  /** The foreign keys of one column. Absent: the database has none. @throws ConnectionUnavailable */
  references?(): Promise<readonly StandingReference[]>
}

export interface StandingReference {
  readonly table: string
  readonly column: string
  /** The table that it names. */
  readonly target: string
}

const DIFFERENCES_PAGE = 'npx svc docs schema-differences'

/** Call it before anything is added to the database. @throws BootError for those that break, where the policy refuses them */
export function refuseDrift(differences: readonly Difference[], policy: DriftPolicy): void {
  if (policy === 'warn') return
  const breaking = differences.filter(({ breaks }) => breaks)
  if (breaking.length > 0) throw new BootError(breaking.map(problemOf))
}

/** One report: where there are several, how many, then a line with its fix for each. @param facts connector and target, without credentials */
export function warnOfDrift(
  differences: readonly Difference[],
  report: BootReport,
  facts: { readonly connector: string; readonly target: string }
): void {
  if (differences.length > 1) {
    report.log.warn(
      { code: 'SVC_ORM_SCHEMA', ...facts, more: DIFFERENCES_PAGE },
      `${differences.length} differences between the entities and the database of connector ${facts.connector}`
    )
  }
  for (const difference of differences) warnAtBoot(report, problemOf(difference))
}

/** As it is reported: with the page that tells what to do. */
export function problemOf({ breaks: _breaks, ...problem }: Difference): Problem {
  return { ...problem, more: DIFFERENCES_PAGE }
}
