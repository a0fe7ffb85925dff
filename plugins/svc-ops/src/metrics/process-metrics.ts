/**
 * Memory, processor and event loop of the process, read when they are asked for. prom-client's
 * own collection cannot be ended; this one leaves nothing running behind a closed application.
 */
import { performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import { LoopDelay } from './loop-delay.ts'

/** @returns ends what was begun */
export function processMetrics(registry: Registry): () => void {
  const registers = [registry]
  const delay = new LoopDelay()

  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since the epoch.',
    registers
  }).set(performance.timeOrigin / 1000)
  const processor: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      processor.reset()
      processor.inc((user + system) / 1e6)
    }
  })
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  gauge('nodejs_heap_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  gauge('nodejs_heap_total_bytes', 'Heap allocated from the system.', () => process.memoryUsage().heapTotal)
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', () => process.memoryUsage().external)
  gauge('nodejs_active_resources', 'Handles and requests that keep the process alive.', () => {
    return process.getActiveResourcesInfo().length
  })
  gauge(
    'nodejs_eventloop_delay_p99_seconds',
    'Delay of the event loop, 99th percentile since the last reading.',
    () => {
      const seconds = delay.percentile(99) / 1000
      delay.reset()
      return seconds
    }
  )

  function gauge(name: string, help: string, read: () => number): void {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      collect() {
        made.set(read())
      }
    })
  }

  return () => delay.close()
}
