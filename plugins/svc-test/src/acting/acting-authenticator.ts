/**
 * Lets a test call as whom it likes: an authenticator that knows tickets which only this
 * process can have given out. It stands before the others in the zones of an application
 * that `buildApp` built, and nowhere else.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessTokenInput, randomId } from 'svc-kernel'

export const ACTING = 'acting-as'

export const TICKET_HEADER = 'x-svc-acting-as'

interface Context {
  readonly request: Pick<FastifyRequest, 'headers'>
}

export class ActingAuthenticator {
  readonly #callers = new Map<string, AccessTokenInput>()

  /** @returns the ticket: the value of the header */
  admit(caller: AccessTokenInput): string {
    const ticket = randomId('act', 32)
    this.#callers.set(ticket, caller)
    return ticket
  }

  supports({ request }: Context): boolean {
    return request.headers[TICKET_HEADER] !== undefined
  }

  createToken({ request }: Context): unknown {
    return request.headers[TICKET_HEADER]
  }

  authenticate(ticket: unknown): AccessTokenInput {
    const caller = typeof ticket === 'string' ? this.#callers.get(ticket) : undefined
    if (caller === undefined) throw new Error('no such ticket')
    return caller
  }

  /** The caller need not be a user of the application, so an open WebSocket is not looked up among them. */
  liveness(): { endsAt(): null; check(): boolean } {
    return { endsAt: () => null, check: () => true }
  }
}
