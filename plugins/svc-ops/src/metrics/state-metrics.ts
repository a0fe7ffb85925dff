/** Whether the application is ready, which check fails, and what waits in its queues: asked when the metrics are read. */
import { Gauge, type Registry } from 'prom-client'
import type { Readiness } from '../health/readiness.ts'

export function stateMetrics(
  registry: Registry,
  readiness: Readiness,
  queuesNow: () => readonly { readonly name: string; readonly depth: number }[]
): void {
  const registers = [registry]
  const ready: Gauge = new Gauge({
    name: 'svc_ready',
    help: '1 if the application is ready for requests, 0 if a check fails or it is about to stop.',
    registers,
    async collect() {
      ready.set(Number((await readiness.health()) !== 'failing'))
    }
  })
  const checks: Gauge<'check'> = new Gauge({
    name: 'svc_health_check',
    help: '1 if the check passes, 0 if it fails.',
    labelNames: ['check'],
    registers,
    async collect() {
      for (const { name, healthy } of await readiness.outcomes()) checks.set({ check: name }, Number(healthy))
    }
  })
  const queues: Gauge<'queue'> = new Gauge({
    name: 'svc_queue_depth',
    help: 'Jobs that wait in a queue of this instance.',
    labelNames: ['queue'],
    registers,
    collect() {
      // What cannot be read now has no value, rather than an old one.
      queues.reset()
      for (const { name, depth } of queuesNow()) queues.set({ queue: name }, depth)
    }
  })
}
