/**
 * What an impersonation may not do, whatever the rights of its user: credentials, accounts and administration are those of the
 * user alone; without the right to make changes it only reads, and opens no WebSocket, as no frame says whether it changes
 * something; once it is over it does nothing, so that no change that was meant for the user is made as the one who acted.
 */
import type { FastifyRequest } from 'fastify'
import { impersonationOf } from '../acting/acting.ts'
import { SECURITY_API } from '../api/security-api.ts'
import { ImpersonationOver, ImpersonationReadOnly, NotWhileImpersonating } from '../errors.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/** Of a request whose caller is known, over HTTP or a WebSocket. @returns the refusal, or `null` */
export function impersonationRefusal(request: FastifyRequest): Error | null {
  const trait = impersonationOf(request.token)
  if (trait === null) return null
  if (trait.over !== null) return new ImpersonationOver()
  if (request.routeOptions.url?.startsWith(`${SECURITY_API}/`) === true) return new NotWhileImpersonating()
  const isRead = READS.includes(request.method) && request.headers.upgrade === undefined
  return isRead || trait.write ? null : new ImpersonationReadOnly()
}

/** @throws ImpersonationReadOnly (403), ImpersonationOver (403) for work that would outlive a request that may only read */
export function checkImpersonatedJob({ token }: Pick<FastifyRequest, 'token'>): void {
  const trait = impersonationOf(token)
  if (trait === null || trait.write) return
  throw trait.over === null ? new ImpersonationReadOnly() : new ImpersonationOver()
}

/** Log lines of the request name both, as the journal does. */
export function nameBoth(request: FastifyRequest): void {
  const { token } = request
  if (impersonationOf(token) === null) return
  request.log = request.log.child({ user: token?.user.identifier, originalUser: token?.originalUser })
}
