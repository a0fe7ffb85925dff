/**
 * Recent proof: what would outlast a stolen session, or take it over, asks that its user was proven a short while ago: a
 * factor, a key, a role. A login is such a proof, and so is its confirmation by the password or a factor. Routes of the own
 * account, which no zone identifies, ask the session; what they ask is decided as any guard's `FRESH` and `FACTOR`.
 */
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { type AccessToken, type Clock, createAccessToken, type RequiredProof } from 'svc-kernel'
import {
  findProof,
  type ProofDemand,
  proofAttributes,
  proofDemandOf,
  proofKind,
  proofRefusal,
  refusing
} from 'svc-kernel/plugin'
import { PersonRequired, ProofDue } from '../errors.ts'
import { proofOf } from '../sessions/session-meta.ts'
import type { SessionRecord } from '../sessions/session-store.ts'
import type { LoadedUser } from '../users/user-source.ts'

export interface ProofSetting {
  /** What sensitive changes ask; `null` for nothing. */
  readonly recent: RequiredProof | null
  readonly clock: Pick<Clock, 'now'>
  /** Scheme of the challenge to bearer tokens. */
  readonly scheme: string
}

/** @throws ProofDue (403), StepUpRequired (401), PersonRequired (403) */
export function checkProof(token: AccessToken, required: RequiredProof | null, setting: ProofSetting): void {
  const demands = required === null ? [] : proofAttributes(required).map((each) => proofDemandOf(each) as ProofDemand)
  const found = demands.map((demand) => ({ demand, finding: findProof(token, demand, setting.clock.now()) }))
  const missing = found.filter(({ finding }) => finding !== 'met')
  if (missing.length === 0) return
  if (missing.some(({ finding }) => finding === 'machine' || finding === 'visitor')) throw new PersonRequired()
  const due = missing.map(({ demand }) => demand)
  throw proofRefusal(token, due, setting.scheme)
}

export interface OwnProofParts {
  readonly sessions: { resume(request: FastifyRequest): Promise<SessionRecord | null> }
  /** The user of the session. @throws InvalidSession (401) */
  readonly userOf: (request: FastifyRequest) => Promise<LoadedUser>
  /** The refusal of a user whose roles ask for a factor that was not shown. */
  readonly refusalOf: (token: AccessToken) => Error | null
  /** Whether a user has a factor that the policy of factors asks to show before another is enrolled. */
  readonly mustShow: (user: LoadedUser) => Promise<boolean>
  readonly setting: ProofSetting
}

/** Route options `preParsing` of what takes a session, behind the gate that demands one. */
export interface OwnProofGates {
  /** Of a change. */
  readonly proof: preParsingHookHandler
  /** Of the enrolment of a factor: it is open to who has shown none, as long as there is none to show. */
  readonly enrolment: preParsingHookHandler
}

export function ownProofGates({ sessions, userOf, refusalOf, mustShow, setting }: OwnProofParts): OwnProofGates {
  const identify = async (request: FastifyRequest) => {
    const user = await userOf(request)
    return { user, token: ownToken(user, await sessions.resume(request)) }
  }
  return {
    proof: refusing<preParsingHookHandler>(async (request) => {
      const { token } = await identify(request)
      checkProof(token, setting.recent, setting)
      const refused = refusalOf(token)
      if (refused !== null) throw refused
    }, ProofDue),
    enrolment: refusing<preParsingHookHandler>(async (request) => {
      const { user, token } = await identify(request)
      checkProof(token, setting.recent, setting)
      if (await mustShow(user)) checkProof(token, { factor: 'any' }, setting)
    }, ProofDue)
  }
}

const SESSION = proofKind({ carrier: 'cookie', subject: 'person' }, 'session')

/** As the authenticator of sessions makes it. */
function ownToken(user: LoadedUser, session: SessionRecord | null): AccessToken {
  const { provenAt, factors } = session === null ? { provenAt: null, factors: [] } : proofOf(session)
  const { identifier, roles } = user
  return createAccessToken({ type: 'session', user: { identifier, roles }, provenAt, factors, proof: SESSION })
}
