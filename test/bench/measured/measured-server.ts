/** A server as a child process that listens on loopback and tells its CPU time and memory when asked. */
import type { FastifyInstance } from 'fastify'
import { portOf } from '../../support/ports.ts'

/** What the child answers to each message: microseconds of CPU since its start, bytes of resident memory. */
export interface Reading {
  readonly cpuUs: number
  readonly rssBytes: number
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
    process.send?.({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() } satisfies Reading)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ measuredPort: port })
}
