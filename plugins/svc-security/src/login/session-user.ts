/**
 * The user behind a session, loaded anew: of one that is logged in, or of one whose
 * first factor held and whose second is due.
 */
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { InvalidSession } from '../errors.ts'
import { refusedFor } from '../journal/refused-for.ts'
import { orUnavailable } from '../stores/or-unavailable.ts'
import { isUsable, type LoadedUser } from '../users/user-source.ts'
import type { FactorHost } from './factor-host.ts'
import { readPending } from './read-pending.ts'

type Host = Pick<FactorHost, 'sessions' | 'users' | 'clock'>

/** @throws InvalidSession (401) without a session that is logged in */
export async function signedInUser(request: FastifyRequest, host: Host): Promise<LoadedUser> {
  const session = await host.sessions.resume(request)
  return usable(session?.user ?? null, host)
}

/** @throws InvalidSession (401) unless this very method is due, and not for too long */
export async function pendingUser(request: FastifyRequest, method: string, host: Host): Promise<LoadedUser> {
  const session = await host.sessions.resume(request)
  const pending = session === null || session.user !== null ? null : readPending(session.content, host.clock.now())
  return usable(pending?.methods.includes(method) ? pending.identifier : null, host)
}

/** Route option `preParsing` of what takes a session: who has none is refused before the body is read. */
export function sessionGate(host: Host): preParsingHookHandler {
  return async (request) => {
    await signedInUser(request, host)
  }
}

/** The same for the second step of a login. */
export function pendingGate(method: string, host: Host): preParsingHookHandler {
  return async (request) => {
    await pendingUser(request, method, host)
  }
}

async function usable(identifier: string | null, { users }: Host): Promise<LoadedUser> {
  const user = identifier === null ? null : await orUnavailable(() => users.findByIdentifier(identifier))
  if (user === null) throw refusedFor(new InvalidSession(), identifier === null ? 'no_session' : 'unknown_user')
  if (!isUsable(user)) throw refusedFor(new InvalidSession(), user.enabled ? 'locked' : 'disabled')
  return user
}
