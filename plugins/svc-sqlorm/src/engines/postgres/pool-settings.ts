/** The limits of a pool of PostgreSQL, from the options of a connector: defaults, and pairs that contradict each other. */
import { BootError, type Problem } from 'svc-kernel'
import type { ConnectorOptions } from '../../options.ts'

export interface PoolSettings {
  readonly poolSize: number
  /** Idle connections that stay open. */
  readonly poolMin: number
  readonly idleTimeoutMs: number
  /** `null`: as long as they work. */
  readonly maxLifetimeS: number | null
  readonly keepAlive: boolean
  readonly limits: ServerLimits
}

/** Times that the server keeps, ms; `null`: those of its own configuration. */
export interface ServerLimits {
  readonly statementTimeoutMs: number | null
  readonly lockTimeoutMs: number | null
  readonly idleInTransactionTimeoutMs: number | null
}

/** For migrations, which take as long as they take. */
export const NO_LIMITS: ServerLimits = Object.freeze({
  statementTimeoutMs: null,
  lockTimeoutMs: null,
  idleInTransactionTimeoutMs: null
})

const POOL_SIZE = 10
const IDLE_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 30_000

/** @param at of the connector, as an option path @throws BootError (SVC_SQLORM_POOL) */
export function poolSettings(options: ConnectorOptions, at: string): PoolSettings {
  const {
    poolSize = POOL_SIZE,
    poolMin = 0,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    maxLifetimeS = null,
    keepAlive = true,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    lockTimeoutMs = null,
    idleInTransactionTimeoutMs = null
  } = options
  const contradiction = (key: string, got: number, expected: string, fix: string): Problem => ({
    code: 'SVC_SQLORM_POOL',
    message: `${key} contradicts another limit of the connector`,
    at: `${at}.${key}`,
    got: String(got),
    expected,
    fix
  })
  const problems: Problem[] = []
  if (poolMin > poolSize)
    problems.push(
      contradiction('poolMin', poolMin, `at most poolSize, ${poolSize}`, 'lower poolMin, or raise poolSize')
    )
  if (lockTimeoutMs !== null && lockTimeoutMs >= statementTimeoutMs) {
    const fix = 'lower lockTimeoutMs, or raise statementTimeoutMs, which ends the statement first'
    problems.push(contradiction('lockTimeoutMs', lockTimeoutMs, `below ${statementTimeoutMs}`, fix))
  }
  if (maxLifetimeS !== null && idleTimeoutMs >= maxLifetimeS * 1000) {
    const fix = 'lower idleTimeoutMs, or raise maxLifetimeS, which closes the connection first'
    problems.push(contradiction('idleTimeoutMs', idleTimeoutMs, `below ${maxLifetimeS * 1000}`, fix))
  }
  if (problems.length > 0) throw new BootError(problems)
  return {
    poolSize,
    poolMin,
    idleTimeoutMs,
    maxLifetimeS,
    keepAlive,
    limits: { statementTimeoutMs, lockTimeoutMs, idleInTransactionTimeoutMs }
  }
}
