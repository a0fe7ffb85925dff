/** A server as a child process that listens on loopback and tells its CPU time and memory when asked. */
import type { FastifyInstance } from 'fastify'
import { portOf } from '../../support/ports.ts'

/** What the child answers to each message: microseconds of CPU since its start, and bytes of memory. */
export interface Reading {
  readonly cpuUs: number
  readonly rssBytes: number
  readonly heapBytes: number
  /** Outside the heap. */
  readonly bufferBytes: number
}

/** Imported by a benchmark that injects its requests, a server only gets ready. */
export async function serveMeasured(fastify: FastifyInstance): Promise<void> {
  if (process.send === undefined) {
    await fastify.ready()
    return
  }
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  answerReadings(portOf(fastify.server))
}

/** For a server that listens already, of whatever framework: tells its port, then a reading per message. */
export function answerReadings(port: number): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    // With --expose-gc, which a child takes over from its parent, what is no longer in use is not counted.
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({
      cpuUs: user + system,
      rssBytes: rss,
      heapBytes: heapUsed,
      bufferBytes: external
    } satisfies Reading)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ measuredPort: port })
}
