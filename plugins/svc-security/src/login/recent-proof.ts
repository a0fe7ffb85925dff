/**
 * Recent proof: what would outlast a stolen session, or take it over, asks that its user was proven a short while ago: a
 * factor, a key, a role. A login is such a proof, and so is its confirmation by the password or a factor.
 */
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import type { AccessToken, Clock } from 'svc-kernel'
import { isMachine, refusing } from 'svc-kernel/plugin'
import { ProofDue } from '../errors.ts'
import { proofOf } from '../sessions/session-meta.ts'
import type { SessionRecord } from '../sessions/session-store.ts'

export interface ProofSetting {
  /** How old a proof may be, in milliseconds; `null` asks for none. */
  readonly recentMs: number | null
  readonly clock: Pick<Clock, 'now'>
}

/** @param provenAt epoch ms; `null` where it is not known @throws ProofDue (403) */
export function checkRecentProof(provenAt: number | null, { recentMs, clock }: ProofSetting): void {
  if (recentMs === null) return
  // A time that is still to come proves nothing either.
  const age = provenAt === null ? Number.POSITIVE_INFINITY : clock.now() - provenAt
  if (!(age >= -CLOCKS_MS && age <= recentMs)) throw new ProofDue()
}

/** How far the clocks of two instances may be apart, in milliseconds. */
const CLOCKS_MS = 60_000

interface Sessions {
  resume(request: FastifyRequest): Promise<Pick<SessionRecord, 'meta'> | null>
}

/** Route option `preParsing` of what takes a session, behind the gate that demands one. */
export function sessionProofGate(sessions: Sessions, setting: ProofSetting): preParsingHookHandler {
  return refusing<preParsingHookHandler>(async (request) => {
    const session = await sessions.resume(request)
    checkRecentProof(session === null ? null : proofOf(session).provenAt, setting)
  }, ProofDue)
}

/** Route option `preParsing` of what an administrator changes. A machine has no person who could confirm anything. */
export function personProofGate(setting: ProofSetting): preParsingHookHandler {
  return refusing<preParsingHookHandler>(async ({ token }) => {
    if (token !== null && !isMachine(token)) checkRecentProof(provenAtOf(token), setting)
  }, ProofDue)
}

/** Own property only, as for whatever decides on rights. */
export function provenAtOf(token: AccessToken): number | null {
  return Object.hasOwn(token, 'provenAt') && typeof token.provenAt === 'number' ? token.provenAt : null
}
