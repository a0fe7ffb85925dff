/**
 * Jobs: attempts of this process by name and result, as svc-jobs publishes them, and what waits in queues that instances
 * share, asked when the metrics are read. Names are those of definitions, lanes those that code and options name.
 */
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from 'svc-kernel'
import { jobAttempts, type QueueBacklog, withTimeout } from 'svc-kernel/plugin'

const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900]

/** Attempts that have run their work. */
const RAN = ['done', 'retried', 'failed']

/** How long a database may take to say what waits, ms. */
const PATIENCE_MS = 1_000

/** @returns unsubscribe */
export function jobMetrics({ server, queueDepths }: FastifyInstance, registry: Registry, clock: Clock): () => void {
  const registers = [registry]
  const attempts = new Counter({
    name: 'svc_jobs_attempts_total',
    help: 'Attempts at jobs by how they ended: done, retried, failed, parked, released, withdrawn.',
    labelNames: ['name', 'result'],
    registers
  })
  const durations = new Histogram({
    name: 'svc_jobs_attempt_duration_seconds',
    help: 'Duration of attempts that ran: done, retried and failed.',
    labelNames: ['name'],
    buckets: BUCKETS,
    registers
  })
  const late: Gauge<'queue'> = new Gauge({
    name: 'svc_queue_late_seconds',
    help: 'How long the job has been due that no worker has taken and that waits longest; 0 without one.',
    labelNames: ['queue'],
    registers,
    collect: () => readBacklogs()
  })
  const waiting: Gauge<'queue' | 'lane'> = new Gauge({
    name: 'svc_queue_waiting',
    help: 'Jobs that no worker has taken, of all instances, by lane.',
    labelNames: ['queue', 'lane'],
    registers,
    collect: () => readBacklogs()
  })
  let reading: Promise<void> | null = null

  /** One reading for both gauges, which are collected together. */
  function readBacklogs(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  async function read(): Promise<void> {
    const backlogs = await Promise.all([...queueDepths.backlogs()].map(([name, ask]) => asked(name, ask)))
    // What cannot be read now has no value, rather than an old one.
    late.reset()
    waiting.reset()
    for (const { queue, backlog } of backlogs) {
      if (backlog === null) continue
      late.set({ queue }, (backlog.lateMs ?? 0) / 1000)
      for (const [lane, count] of backlog.lanes) waiting.set({ queue, lane }, count)
    }
  }

  async function asked(queue: string, ask: () => Promise<QueueBacklog>) {
    const silent = () => new Error('no answer')
    return { queue, backlog: await withTimeout(PATIENCE_MS, clock, ask, silent).catch(() => null) }
  }

  return jobAttempts.subscribe(({ app, name, result, durationMs }) => {
    if (app !== server) return
    attempts.inc({ name, result })
    if (RAN.includes(result)) durations.observe({ name }, durationMs / 1000)
  })
}
