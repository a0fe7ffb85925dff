/**
 * One-time codes over HTTP: enrolment for who is logged in, and the second step of
 * a login. Each code that is tried counts in the login throttle, under a name of its
 * own: a password that holds must not reset the guesses at the code.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../../api/answers.ts'
import { pendingRoute, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import { InvalidCredentials, Throttled, TotpEnrolled, TotpNotStarted } from '../../errors.ts'
import { printable } from '../../journal/audit-writer.ts'
import {
  type FactorHost,
  keepIfStillOpen,
  pendingGate,
  pendingLogin,
  pendingUser,
  sessionGate,
  signedInUser
} from '../../login/factor-host.ts'
import type { LoadedUser } from '../../users/user-source.ts'
import type { TotpService } from './totp-service.ts'

interface CodeRoute {
  Body: { code: string }
}

/** A code of six digits, or a recovery code; what is neither is refused as a wrong one. */
const codeBody = closed({ code: textUpTo(64) })

/** Of a try of a code. */
const TRIED = [InvalidCredentials, Throttled]

export function totpRoutes(fastify: FastifyInstance, totp: TotpService, host: FactorHost): void {
  const change = { preParsing: [host.csrf, sessionGate(host)] }

  fastify.post(
    `${SECURITY_API}/totp/enroll`,
    {
      preParsing: [...change.preParsing, host.enrolment],
      config: { svc: sessionRoute('svc.totp.enroll') },
      schema: { response: { 200: answers.totpSecret }, errors: [TotpEnrolled] }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return totp.enroll(await signedInUser(request, host))
    }
  )

  fastify.post<CodeRoute>(
    `${SECURITY_API}/totp/confirm`,
    {
      ...change,
      config: { svc: sessionRoute('svc.totp.confirm') },
      schema: {
        body: codeBody,
        response: { 200: answers.recoveryCodes },
        errors: [...TRIED, TotpEnrolled, TotpNotStarted]
      }
    },
    async (request, reply) => {
      const user = await signedInUser(request, host)
      reply.header('cache-control', 'no-store')
      const recoveryCodes = await attempt(request, user, host, () => totp.confirm(user, request.body.code))
      await keepIfStillOpen(request, host, () => totp.remove(user))
      // The code that ends the enrolment is shown once: no other can be asked for in the same half minute.
      await host.sessions.confirm(request, ['otp'])
      return { recoveryCodes }
    }
  )

  fastify.post<CodeRoute>(
    `${SECURITY_API}/totp/disable`,
    {
      ...change,
      config: { svc: sessionRoute('svc.totp.disable') },
      schema: { body: codeBody, response: { 200: answers.done }, errors: TRIED }
    },
    async (request) => {
      const user = await signedInUser(request, host)
      await attempt(request, user, host, () => totp.disable(user, request.body.code))
      return { ok: true }
    }
  )

  fastify.post<CodeRoute>(
    `${SECURITY_API}/auth/confirm/totp`,
    {
      ...change,
      config: { svc: sessionRoute('svc.auth.confirm.totp') },
      schema: { body: codeBody, response: { 200: answers.done }, errors: TRIED }
    },
    async (request, reply) => {
      const user = await signedInUser(request, host)
      const proof = await attempt(request, user, host, () => totp.verify(user, request.body.code))
      await host.sessions.confirm(request, [proof === 'totp' ? 'otp' : proof])
      reply.header('cache-control', 'no-store')
      return { ok: true }
    }
  )

  fastify.get(
    `${SECURITY_API}/totp/status`,
    {
      config: { svc: sessionRoute('svc.totp.status') },
      schema: { response: { 200: answers.totpStatus } }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return totp.status(await signedInUser(request, host))
    }
  )

  fastify.post<CodeRoute>(
    `${SECURITY_API}/auth/login/totp`,
    {
      config: { svc: pendingRoute('svc.auth.login.totp') },
      onRequest: host.page,
      preParsing: pendingGate('totp', host),
      schema: { body: codeBody, response: { 200: answers.signedIn }, errors: TRIED }
    },
    async (request, reply) => {
      const user = await pendingUser(request, 'totp', host)
      const proof = await attempt(request, user, host, () => totp.verify(user, request.body.code))
      const first = (await pendingLogin(request, host))?.first ?? null
      return host.login.complete(request, reply, user, proof, first)
    }
  )
}

/** One counted try of a code; a wrong one is audited. What is no answer about the code does not count. */
async function attempt<T>(
  request: FastifyRequest,
  user: LoadedUser,
  { throttler, journal }: FactorHost,
  work: () => Promise<T>
): Promise<T> {
  const subject = { identifier: `totp ${user.identifier}`, ip: request.ip }
  const audit = (action: string, reason: string) =>
    journal.done({ category: 'auth', action, outcome: 'failure', actor: printable(user.identifier), reason }, request)
  try {
    await throttler?.check(subject)
  } catch (error) {
    audit('login.throttled', 'totp')
    throw error
  }
  try {
    const result = await work()
    await throttler?.succeeded(subject)
    return result
  } catch (error) {
    if ((error as { reason?: unknown }).reason !== 'mfa_invalid') {
      await throttler?.released(subject)
      throw error
    }
    await throttler?.failed(subject)
    audit('login.failure', 'mfa_invalid')
    throw error
  }
}
