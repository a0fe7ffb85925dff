/** Makes the replicas of a connector of PostgreSQL from its options, without asking them. */
import type { FastifyBaseLogger } from 'fastify'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import { maskTarget } from 'svc-stores/table'
import type { PoolSettings } from '../engines/postgres/pool-settings.ts'
import { postgresFailure } from '../engines/postgres/postgres-failure.ts'
import { createPool, type PostgresPoolOptions, type PreparedNames } from '../engines/postgres/postgres-pool.ts'
import type { ConnectorOptions } from '../options.ts'
import { Replica } from './replica.ts'
import { ReplicaSet } from './replica-set.ts'
import { reasonOf } from './translate-error.ts'

export interface CreateReplicasParts {
  /** Of the connector. */
  readonly name: string
  /** Of the connector, as an option path. */
  readonly at: string
  readonly names: PreparedNames
  /** As those of the primary. */
  readonly reach: Pick<PostgresPoolOptions, 'applicationName' | 'waitMs'>
  readonly settings: PoolSettings
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** How long a replica may take to say how it fares. */
const WATCH_MS = 2000

/** @returns `null` without replicas @throws BootError (SVC_SQLORM_URL, SVC_SQLORM_OPTION) */
export function createReplicas(
  { replicas, maxLagMs, rowSecurity = false }: ConnectorOptions,
  parts: CreateReplicasParts
): ReplicaSet | null {
  const { name, at, names, reach, settings, clock, log } = parts
  if (replicas === undefined) {
    if (maxLagMs === undefined) return null
    const message = 'the option has no effect without replicas'
    throw new BootError([
      { code: 'SVC_SQLORM_OPTION', message, at: `${at}.maxLagMs`, fix: 'remove it, or name the replicas' }
    ])
  }
  const problems = replicas.flatMap((url, place): Problem[] => {
    if (/^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url)) return []
    const message = 'the URL of a replica names no PostgreSQL server'
    const expected = 'postgres://user:password@host:5432/database'
    return [{ code: 'SVC_SQLORM_URL', message, at: `${at}.replicas[${place}]`, expected, fix: `write ${expected}` }]
  })
  if (problems.length > 0) throw new BootError(problems)
  const watching = {
    ...settings,
    poolSize: 1,
    poolMin: 0,
    limits: { ...settings.limits, statementTimeoutMs: WATCH_MS }
  }
  const made = replicas.map((url, place) => {
    const onError = (error: Error) => {
      const failure = postgresFailure(error)
      replica.leaveOut(failure === null ? 'a connection broke off' : reasonOf(failure, error))
    }
    const own = { ...reach, pipeline: rowSecurity, at: `${at}.replicas[${place}]`, url, onError }
    const replica: Replica = new Replica({
      connector: name,
      target: maskTarget(url),
      pool: createPool({ ...own, settings }),
      watch: createPool({ ...own, waitMs: WATCH_MS, settings: watching }),
      names,
      maxLagMs: maxLagMs ?? null,
      rowSecurity,
      clock,
      log
    })
    return replica
  })
  return new ReplicaSet(name, made)
}
