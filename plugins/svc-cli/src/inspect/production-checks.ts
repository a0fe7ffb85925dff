/** What would hurt in production and shows neither as a mistake of the config nor as a warning of the boot. */
import type { FastifyInstance } from 'fastify'
import type { Application } from 'svc-host'
import type { Problem } from 'svc-kernel'
import { type DatabaseView, databasesOf } from '../application/database-view.ts'

const MORE = 'npx svc docs running-in-production'

/** How long Kubernetes waits before it kills, where nothing else is set; systemd waits longer, Docker 10 seconds. */
const SUPERVISOR_MS = 30_000

const CLOSE_GRACE_MS = 10_000

/** What clocks of machines with NTP stay within. */
const SKEW_MS = 2000

/** How long a dependency may take to answer. */
const OUTAGE_MS = 5000

/** @param fastify booted @returns what is certain to hurt */
export async function productionProblems(app: Application, fastify: FastifyInstance): Promise<Problem[]> {
  const { mode = 'production', server = {} } = app.config
  const { drainDelayMs = 0, trustProxy } = server
  const problems: Problem[] = []
  if (mode !== 'production')
    problems.push({
      code: 'SVC_DOCTOR_MODE',
      message: 'the application does not run in production mode: errors show their causes to callers',
      at: 'mode',
      got: mode,
      expected: 'production',
      fix: 'NODE_ENV=production, or unset it',
      more: MORE
    })
  if (trustProxy !== undefined && trustProxy !== false && drainDelayMs === 0)
    problems.push({
      code: 'SVC_DOCTOR_DRAIN',
      message: 'behind a proxy, a stop without a delay loses the requests that the proxy still sends',
      at: 'server.drainDelayMs',
      got: '0',
      expected: 'the interval of the checks of the balancer, times the failures that it waits for',
      fix: 'drainDelayMs: 15_000',
      more: MORE
    })
  for (const { name } of await fastify.healthChecks.outages(OUTAGE_MS))
    problems.push({
      code: 'SVC_DOCTOR_OUTAGE',
      message: `${name} does not answer: the application is not ready`,
      at: name,
      fix: 'start it, or correct its address',
      more: MORE
    })
  return [...problems, ...(await skewedClocks(databasesOf(fastify)?.connectors() ?? []))]
}

/** A database that does not answer has its own line. */
async function skewedClocks(databases: readonly DatabaseView[]): Promise<Problem[]> {
  const skews = databases.map(async (database) => ({ name: database.name, ms: (await skewOf(database)) ?? 0 }))
  const skewed = (await Promise.all(skews)).filter(({ ms }) => Math.abs(ms) > SKEW_MS)
  return skewed.map(({ name, ms }) => ({
    code: 'SVC_DOCTOR_CLOCK',
    message: `the clocks of this machine and of the database ${name} differ: sessions and tokens end early or late`,
    at: name,
    got: `the database is ${Math.abs(ms)} ms ${ms > 0 ? 'ahead' : 'behind'}`,
    expected: `at most ${SKEW_MS} ms`,
    fix: 'run NTP on both machines',
    more: MORE
  }))
}

/** Milliseconds that a database is certainly ahead, whenever within the question it looked at its clock. */
async function skewOf(database: DatabaseView): Promise<number | null> {
  const asked = Date.now()
  const there = await database.now?.().catch(() => null)
  const answered = Date.now()
  if (typeof there !== 'number' || Number.isNaN(there)) return null
  if (there > answered) return Math.round(there - answered)
  return there < asked ? Math.round(there - asked) : 0
}

/** @returns what is right for some deployments, and fatal for others */
export function productionHints(app: Application, fastify: FastifyInstance): Problem[] {
  const { drainDelayMs = 0, closeGraceMs = CLOSE_GRACE_MS } = app.config.server ?? {}
  const files = (databasesOf(fastify)?.connectors() ?? []).filter(({ vendor }) => vendor === 'sqlite')
  const embedded = files.map(({ name, vendor }) => ({
    code: 'SVC_DOCTOR_EMBEDDED',
    message: `the database ${name} (${vendor}) is a file of this machine, which no other machine shares`,
    at: name,
    fix: 'keep its folder on a volume; for several instances, use a database server',
    more: 'npx svc docs several-instances'
  }))
  return [...longStop(drainDelayMs + closeGraceMs), ...embedded]
}

function longStop(stopMs: number): Problem[] {
  if (stopMs < SUPERVISOR_MS) return []
  return [
    {
      code: 'SVC_DOCTOR_GRACE',
      message: 'a stop may take longer than Kubernetes waits by itself, which then kills the process',
      at: 'server.drainDelayMs, server.closeGraceMs',
      got: `${stopMs} ms together`,
      expected: `less than ${SUPERVISOR_MS} ms`,
      fix: 'shorten them, or set terminationGracePeriodSeconds or TimeoutStopSec above their sum',
      more: 'npx svc docs deploying'
    }
  ]
}
