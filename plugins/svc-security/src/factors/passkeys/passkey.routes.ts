/**
 * Passkeys over HTTP: making, listing and removing them for who is logged in, and
 * a login with nothing but one. Each challenge is bound to the browser that asked
 * for it, holds for a minute, and is used once, whatever comes of it.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as answers from '../../api/answers.ts'
import { noStore, publicRoute, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import {
  AuthenticationUnavailable,
  InvalidCredentials,
  PasskeyInvalid,
  PasskeyLimit,
  PasskeyNotFound
} from '../../errors.ts'
import { credentialsRefused, printable, readableError, refusedFor } from '../../journal/audit-writer.ts'
import { type FactorHost, keepIfStillOpen, sessionGate, signedInUser } from '../../login/factor-host.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type LoadedUser } from '../../users/user-source.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import { LastWayIn } from '../errors.ts'
import { credentialParams, loginBody, REGISTRATION_LIMIT, registerBody, renameBody } from './passkey-schemas.ts'
import type { PasskeyService } from './passkey-service.ts'

export interface PasskeyParts {
  readonly passkeys: PasskeyService
  readonly challenges: ChallengeStore
  readonly host: FactorHost
  /** Whether a user without a passkey can log in; where the application keeps its users, it alone knows. */
  readonly hasAnotherWay: (user: LoadedUser) => Promise<boolean>
}

const API = `${SECURITY_API}/webauthn`

export function passkeyRoutes(fastify: FastifyInstance, parts: PasskeyParts): void {
  const { passkeys, challenges, host, hasAnotherWay } = parts
  const route = (name: string) => ({ config: { svc: publicRoute(`svc.webauthn.${name}`) } })
  const own = (name: string) => ({ config: { svc: sessionRoute(`svc.webauthn.${name}`) } })
  const change = { preParsing: [host.csrf, sessionGate(host)] }
  const proven = { preParsing: [...change.preParsing, host.proof] }

  const made = { response: { 200: answers.passkeyOptions } }
  fastify.post(
    `${API}/register/options`,
    { ...own('register.options'), preParsing: [...change.preParsing, host.enrolment], schema: made },
    async (request, reply) => {
      const user = await signedInUser(request, host)
      const options = await passkeys.registrationOptions(user)
      await challenges.begin(request, reply, { challenge: options.challenge, user: user.id })
      return noStore(reply, options)
    }
  )

  fastify.post<{ Body: { response: RegistrationResponseJSON; nickname?: string | null } }>(
    `${API}/register/verify`,
    {
      ...own('register.verify'),
      ...change,
      bodyLimit: REGISTRATION_LIMIT,
      schema: { body: registerBody, response: { 201: answers.newPasskey }, errors: [PasskeyInvalid, PasskeyLimit] }
    },
    async (request, reply) => {
      const user = await signedInUser(request, host)
      const attempt = await challenges.take(request, reply)
      if (attempt?.user !== user.id) throw refusedFor(new PasskeyInvalid(), 'challenge')
      const { response, nickname = null } = request.body
      const credential = await passkeys.register(user, String(attempt.challenge), response, nickname)
      await keepIfStillOpen(request, host, () => passkeys.remove(user, credential.id))
      audit(parts, 'passkey.registered', user, credential.id, request)
      reply.code(201)
      return noStore(reply, { credential })
    }
  )

  fastify.get(
    `${API}/credentials`,
    { ...own('credentials'), schema: { response: { 200: answers.passkeys } } },
    async (request, reply) => noStore(reply, { credentials: await passkeys.list(await signedInUser(request, host)) })
  )

  fastify.patch<{ Params: { id: string }; Body: { nickname: string | null } }>(
    `${API}/credentials/:id`,
    {
      ...own('rename'),
      ...change,
      schema: { params: credentialParams, body: renameBody, response: { 200: answers.done }, errors: [PasskeyNotFound] }
    },
    async (request) => {
      const user = await signedInUser(request, host)
      await passkeys.rename(user, request.params.id, request.body.nickname)
      audit(parts, 'passkey.renamed', user, request.params.id, request)
      return { ok: true }
    }
  )

  fastify.delete<{ Params: { id: string } }>(
    `${API}/credentials/:id`,
    {
      ...own('remove'),
      ...proven,
      schema: { params: credentialParams, response: { 200: answers.done }, errors: [PasskeyNotFound, LastWayIn] }
    },
    async (request) => {
      const user = await signedInUser(request, host)
      await passkeys.removeUnlessLast(user, request.params.id, () => hasAnotherWay(user))
      audit(parts, 'passkey.removed', user, request.params.id, request)
      return { ok: true }
    }
  )

  const offered = { ...made, errors: [AuthenticationUnavailable] }
  fastify.post(
    `${API}/login/options`,
    { ...route('login.options'), onRequest: host.page, schema: offered },
    async (request, reply) => {
      const options = await passkeys.loginOptions()
      await challenges.begin(request, reply, { challenge: options.challenge })
      return noStore(reply, options)
    }
  )

  fastify.post<{ Body: { response: AuthenticationResponseJSON } }>(
    `${API}/login/verify`,
    {
      ...route('login.verify'),
      onRequest: host.page,
      schema: {
        body: loginBody,
        response: { 200: answers.signedIn },
        errors: [InvalidCredentials, AuthenticationUnavailable]
      }
    },
    async (request, reply) => {
      const { user, factor } = await provenUser(request, reply, parts)
      const proof = { provenAt: host.clock.now(), factors: [factor] }
      return host.login.complete(request, reply, user, 'webauthn', null, proof)
    }
  )

  // With a challenge of login/options: the proof is the same, the session stays.
  fastify.post<{ Body: { response: AuthenticationResponseJSON } }>(
    `${SECURITY_API}/auth/confirm/passkey`,
    {
      config: { svc: sessionRoute('svc.auth.confirm.passkey') },
      ...change,
      schema: { body: loginBody, response: { 200: answers.done }, errors: [InvalidCredentials] }
    },
    async (request, reply) => {
      const { id } = await signedInUser(request, host)
      const { user, factor } = await provenUser(request, reply, parts)
      if (user.id !== id) throw credentialsRefused('another_user')
      await host.sessions.confirm(request, [factor])
      return noStore(reply, { ok: true })
    }
  )
}

/** @throws InvalidCredentials (401, one text); the audit has the true cause */
async function provenUser(
  request: FastifyRequest<{ Body: { response: AuthenticationResponseJSON } }>,
  reply: FastifyReply,
  { passkeys, challenges, host }: PasskeyParts
): Promise<{ readonly user: LoadedUser; readonly factor: 'passkey' | 'pop' }> {
  let actor: string | null = null
  try {
    const attempt = await challenges.take(request, reply)
    if (attempt === null || attempt.user !== undefined) throw credentialsRefused('passkey_challenge')
    const { userId, userVerified } = await passkeys.prove(String(attempt.challenge), request.body.response)
    const user = await orUnavailable(() => host.users.findById(userId))
    if (user === null) throw credentialsRefused('unknown_user')
    actor = printable(user.identifier)
    if (!isUsable(user)) throw credentialsRefused(user.enabled ? 'locked' : 'disabled')
    const methods = userVerified ? [] : await host.login.requiredFactors(user.identifier)
    if (methods.length > 0) throw credentialsRefused('user_verification')
    // Without PIN or fingerprint it shows that the key is there, and nothing of who holds it (`pop`, RFC 8176).
    return { user, factor: userVerified ? 'passkey' : 'pop' }
  } catch (error) {
    const { statusCode, reason, message } = readableError(error)
    if (statusCode === 401) {
      const event = { category: 'auth', action: 'login.failure', outcome: 'failure' } as const
      host.journal.done({ ...event, actor, reason: reason ?? message }, request)
    }
    throw error
  }
}

function audit(
  { host }: PasskeyParts,
  action: string,
  user: LoadedUser,
  resource: string,
  request: FastifyRequest
): void {
  const actor = printable(user.identifier)
  host.journal.done({ category: 'webauthn', action, outcome: 'success', actor, resource: printable(resource) }, request)
}
