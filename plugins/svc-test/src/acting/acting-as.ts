/** A caller of one's choice, for tests: the guard, the jury and the handlers are the real ones. */
import type { FastifyInstance, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { AccessTokenInput } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import { CannotAct } from '../errors.ts'

/** Name of the authenticator in the zones of an application. */
export const ACTING = 'acting-as'

const TICKET_HEADER = 'x-svc-acting-as'

interface Context {
  readonly request: Pick<FastifyRequest, 'headers'>
}

/**
 * Lets a test call as whom it likes: an authenticator that knows tickets which only this process can have given out. It
 * is the first of the zones of an application that `buildApp` built, and of no other.
 */
export class ActingAuthenticator {
  readonly carrier = 'header'
  /** It stands for browsers too: the page behind a change is checked. */
  readonly ambient = true
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

/** The user that requests of a test come from. */
export interface ActingUser {
  readonly identifier: string
  readonly roles?: readonly string[]
  /** The kind of token the caller comes with. Default `session`. */
  readonly type?: string
  /** Of a machine's token. */
  readonly scopes?: readonly string[]
}

/** Sends requests as one user. */
export interface ActingCaller {
  /** As `fastify.inject`, with this identity. */
  inject(options: InjectOptions | string): Promise<LightMyRequestResponse>
  /** To be sent with requests over a real socket. */
  readonly headers: Readonly<Record<string, string>>
}

/** Applications that `buildApp` built. */
const acting = new WeakMap<object, ActingAuthenticator>()

export function keepActing(app: FastifyInstance, authenticator: ActingAuthenticator): void {
  acting.set(app.server, authenticator)
}

/**
 * Requests to an application of `buildApp` as this user, who need not exist anywhere. In a zone that
 * asks for all of its proofs, and on routes outside every zone, it changes nothing.
 *
 * @throws CannotAct for an application that was built otherwise
 */
export function actingAs(app: FastifyInstance, user: ActingUser): ActingCaller {
  const authenticator = acting.get(app.server)
  if (authenticator === undefined) throw new CannotAct()
  const { identifier, roles = [], type = 'session', scopes } = user
  const caller: AccessTokenInput = {
    type,
    user: { identifier, roles: [...roles] },
    ...(scopes === undefined ? {} : { scopes: [...scopes] })
  }
  const headers = Object.freeze({ [TICKET_HEADER]: authenticator.admit(caller) })
  return Object.freeze({
    headers,
    inject(options: InjectOptions | string) {
      const given = typeof options === 'string' ? { url: options } : options
      return app.inject({ ...given, headers: { ...given.headers, ...headers } })
    }
  })
}
