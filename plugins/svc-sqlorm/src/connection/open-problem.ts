/** Why a connector cannot be opened at all, as a problem of the boot. */
import type { Problem } from 'svc-kernel'
import type { FailureKind } from '../engines/failure.ts'

export interface OpenFacts {
  readonly connector: string
  readonly kind: FailureKind
  /** The engine's own words. */
  readonly detail: string
  /** Without credentials. */
  readonly target: string
}

const MORE = 'npx svc-cli docs svc-sqlorm'

/** @returns `null` where time may help: the application then starts, and answers 503 until the database is there */
export function openProblem({ connector, kind, detail, target }: OpenFacts): Problem | null {
  const at = `svc-sqlorm.connectors.${connector}.url`
  const got = `${target}: ${detail}`
  if (kind === 'damaged') {
    const message = `the database of connector ${connector} is damaged, or no database`
    return {
      code: 'SVC_SQLORM_DAMAGED',
      message,
      at,
      got,
      fix: 'restore it from a backup, or name another file',
      more: MORE
    }
  }
  if (kind === 'misconfigured') {
    const message = `the database of connector ${connector} refuses to be opened`
    const fix = 'check path, name, password and rights'
    return { code: 'SVC_SQLORM_OPEN', message, at, got, fix, more: MORE }
  }
  if (kind === 'unique') {
    const message = `rows of connector ${connector} contradict a unique index that is to be made`
    const fix = 'remove the rows that hold the same values'
    return { code: 'SVC_SQLORM_DUPLICATES', message, at, got, fix, more: MORE }
  }
  return null
}
