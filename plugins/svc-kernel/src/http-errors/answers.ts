/**
 * Hears of requests that were answered, over the diagnostics channel of Fastify: where nobody listens, a request pays
 * nothing for it. An answer is what a handler gives, also its own refusal; "not able" (5xx) is none.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from './error-body.ts'

/** As Fastify makes it. */
interface Handled {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The handler gave a promise. */
  readonly async: boolean
  readonly error?: unknown
}

const handlers = tracingChannel<unknown, Handled>('fastify.request.handler')

/** @returns ends it */
export function answersHeard(listener: (request: FastifyRequest) => void): () => void {
  const isAnswer = (handled: Handled) =>
    handled.error === undefined ? handled.reply.statusCode < 500 : errorBody(handled.error, true).statusCode < 500
  const events = {
    // A handler with a callback may not have answered yet.
    end: (handled: Handled) => {
      if (!handled.async && handled.reply.sent && isAnswer(handled)) listener(handled.request)
    },
    asyncEnd: (handled: Handled) => {
      if (isAnswer(handled)) listener(handled.request)
    }
  }
  const subscriber = events as unknown as Parameters<typeof handlers.subscribe>[0]
  handlers.subscribe(subscriber)
  return () => {
    handlers.unsubscribe(subscriber)
  }
}
