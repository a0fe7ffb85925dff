/** What would hurt in production and shows neither as a mistake of the config nor as a warning of the boot. */
import type { FastifyInstance } from 'fastify'
import type { Application } from 'svc-host'
import type { Problem } from 'svc-kernel'
import { databasesOf } from '../application/database-view.ts'

const MORE = 'npx svc docs running-in-production'

/** How long Kubernetes waits before it kills, where nothing else is set; systemd waits longer, Docker 10 seconds. */
const SUPERVISOR_MS = 30_000

const CLOSE_GRACE_MS = 10_000

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
  return problems
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
