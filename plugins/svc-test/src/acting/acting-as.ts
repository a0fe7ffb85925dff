/** A caller of one's choice, for tests: the guard, the jury and the handlers are the real ones. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { AccessTokenInput } from 'svc-kernel'
import { CannotAct } from '../errors.ts'
import { type ActingAuthenticator, TICKET_HEADER } from './acting-authenticator.ts'

export interface ActingUser {
  readonly identifier: string
  readonly roles?: readonly string[]
  /** The kind of token the caller comes with. Default `session`. */
  readonly type?: string
  /** Of a machine's token. */
  readonly scopes?: readonly string[]
}

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
