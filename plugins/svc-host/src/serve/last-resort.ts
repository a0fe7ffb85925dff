/**
 * Errors that nothing handles, of the process that serves an application. Each is a FATAL line with its place and an event
 * of the journal; the first stops the application as a signal does, with exit code 1: what state it left is unknown. An
 * application that listens for such errors itself decides about them alone, as in Node.
 */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { placeOf } from 'svc-kernel/host'
import { logFailure } from 'svc-kernel/plugin'

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const

/** @param stop ends the process; called for each such error */
export function watchUnhandled(fastify: FastifyInstance, stop: () => void): void {
  for (const event of EVENTS) {
    process.on(event, (thrown: unknown) => {
      if (process.listenerCount(event) > 1) return
      report(fastify, event, thrown)
      stop()
    })
  }
}

function report(fastify: FastifyInstance, event: (typeof EVENTS)[number], thrown: unknown): void {
  const at = placeIn(thrown)
  const fields = { code: 'SVC_PROCESS_FAILURE', ...(at === undefined ? {} : { at }) }
  const what = event === 'uncaughtException' ? 'an error was thrown' : 'a promise was rejected'
  logFailure(fastify.log, thrown, `${what} and nothing handled it: the process stops`, { level: 'fatal', fields })
  decoratorOf(fastify, 'audit')?.record({
    category: 'config',
    action: 'process.failure',
    outcome: 'failure',
    // Its message may hold anything.
    reason: event,
    metadata: at === undefined ? {} : { at }
  })
}

/** Nothing that is thrown may keep the process from its end. */
function placeIn(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error ? placeOf(thrown) : undefined
  } catch {
    return undefined
  }
}
