/**
 * The second factors and passkeys of a user, for administrators: what there is, and a way to take it off from who has
 * lost it. No secret, no code and no public key is shown; each removal is audited.
 */
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { RequiredProof } from 'svc-kernel'
import { adminChange, adminRoute } from 'svc-kernel/plugin'
import { object, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, proven, SECURITY_API } from '../api/security-api.ts'
import { FactorNotFound, PasskeyNotFound, UserNotFound } from '../errors.ts'
import type { PasskeyService } from '../factors/passkeys/passkey-service.ts'
import type { TotpService } from '../factors/totp/totp-service.ts'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { UserAccounts } from '../users/user-accounts.ts'
import type { UserSource } from '../users/user-source.ts'
import { userOf } from './users.routes.ts'

const FACTORS = `${SECURITY_API}/users/:id/factors`

const params = object({ id: textUpTo(1024) })
const passkeyParams = object({ id: textUpTo(1024), credential: textUpTo(1400) })

export interface UserFactorsParts {
  readonly accounts: UserAccounts
  readonly users: UserSource
  /** Both: `null` where the application has none of this kind. */
  readonly totp: Pick<TotpService, 'status' | 'remove'> | null
  readonly passkeys: Pick<PasskeyService, 'list' | 'remove'> | null
  readonly journal: Pick<AuditWriter, 'done'>
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
  /** What changes of rights ask of the proof; `null` for nothing. */
  readonly proof: RequiredProof | null
}

export function userFactorsRoutes(fastify: FastifyInstance, parts: UserFactorsParts): void {
  const { accounts, users, totp, passkeys, journal, csrf, proof } = parts
  const audit = (request: FastifyRequest, category: string, action: string, resource: string, metadata: object) => {
    const actor = request.user?.identifier ?? null
    journal.done({ category, action, outcome: 'success', actor, resource, metadata: { ...metadata } }, request)
  }

  fastify.get<{ Params: { id: string } }>(
    FACTORS,
    {
      ...adminRoute('svc.users.factors'),
      schema: { params, response: { 200: answers.factors }, errors: [UserNotFound] }
    },
    async (request, reply) => {
      const { id, socialAccounts } = await userOf(request.params.id, accounts, users)
      const [codes, keys] = await Promise.all([totp?.status({ id }) ?? null, passkeys?.list({ id }) ?? null])
      return noStore(reply, { totp: codes, passkeys: keys, socialAccounts })
    }
  )

  fastify.delete<{ Params: { id: string } }>(
    `${FACTORS}/totp`,
    {
      ...proven(adminChange('svc.users.factors.totp', csrf), proof),
      schema: { params, response: { 200: answers.done }, errors: [UserNotFound, FactorNotFound] }
    },
    async (request) => {
      const { id, identifier } = await userOf(request.params.id, accounts, users)
      if (!(await (totp?.remove({ id }) ?? false))) throw new FactorNotFound()
      audit(request, 'config', 'user.totp_removed', identifier, {})
      return { ok: true }
    }
  )

  fastify.delete<{ Params: { id: string; credential: string } }>(
    `${FACTORS}/passkeys/:credential`,
    {
      ...proven(adminChange('svc.users.factors.passkey', csrf), proof),
      schema: {
        params: passkeyParams,
        response: { 200: answers.done },
        errors: [UserNotFound, FactorNotFound, PasskeyNotFound]
      }
    },
    async (request) => {
      const { id, identifier } = await userOf(request.params.id, accounts, users)
      if (passkeys === null) throw new FactorNotFound()
      const { credential } = request.params
      await passkeys.remove({ id }, credential)
      audit(request, 'webauthn', 'passkey.removed', credential, { subject: identifier })
      return { ok: true }
    }
  )
}
