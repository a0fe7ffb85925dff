/**
 * Second factors and logins without a password, where their sections are given.
 * Stores are selected while the plugin registers, after their drivers; the routes
 * are declared later, in the scope of the security API.
 */
import type { FastifyInstance } from 'fastify'
import { appHost } from 'svc-kernel'
import { csrfGate, pageGate } from '../cross-origin/csrf-guard.ts'
import { BeginLimit } from '../factors/begin-limit.ts'
import { AttemptBook } from '../factors/challenge-store.ts'
import { oauthRoutes } from '../factors/oauth/oauth.routes.ts'
import { ATTEMPT_MS, openOAuth } from '../factors/oauth/open-oauth.ts'
import { passkeyRoutes } from '../factors/passkeys/passkey.routes.ts'
import { CHALLENGE_MS, PasskeyService } from '../factors/passkeys/passkey-service.ts'
import { openTotp } from '../factors/totp/open-totp.ts'
import { totpRoutes } from '../factors/totp/totp.routes.ts'
import type { FactorHost } from '../login/factor-host.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { SessionCookie } from '../sessions/session-cookie.ts'
import type { SecurityServices } from './security-services.ts'

type Routes = (scope: FastifyInstance) => void

interface Given {
  readonly services: SecurityServices
  readonly host: FactorHost
  readonly parts: SvcSecurityParts
}

/** @returns declares the routes */
export function openFactors(fastify: FastifyInstance, services: SecurityServices, parts: SvcSecurityParts): Routes {
  const host = factorHost(services)
  const given = { services, host, parts }
  const routes = [withTotp(fastify, given), withPasskeys(fastify, given), withOAuth(fastify, given)]
  return (scope) => {
    for (const declare of routes) declare?.(scope)
  }
}

function factorHost({ sessions, users, throttler, journal, clock, csrf, factors, completion }: SecurityServices) {
  const host: FactorHost = {
    sessions,
    users,
    throttler,
    journal,
    clock,
    csrf: csrfGate(csrf),
    page: pageGate(csrf),
    hasSecondFactor: async (identifier) => (await factors.required(identifier)).length > 0,
    askSecondFactor: (request, reply, user) => completion.askSecondFactor(request, reply, user),
    completeLogin: (request, reply, user, reason) => completion.completeLogin(request, reply, user, reason)
  }
  return host
}

function withTotp(fastify: FastifyInstance, { services, host, parts }: Given): Routes | null {
  const { config, clock, users, factors } = services
  if (config.totp === undefined) return null
  const totp = openTotp(fastify, config.totp, { clock, ready: parts.stores?.totp })
  factors.register({
    method: 'totp',
    isEnrolled: async (identifier) => {
      const user = await users.findByIdentifier(identifier)
      return user !== null && (await totp.status(user)).enabled
    }
  })
  return (scope) => totpRoutes(scope, totp, host)
}

function withPasskeys(fastify: FastifyInstance, given: Given): Routes | null {
  const { services, host, parts } = given
  const { config } = services
  const { passkeys: setting } = config
  if (setting === undefined) return null
  const { store } = fastify.stores.select('passkeys', setting.store, parts.stores?.passkeys)
  const { rpId, rpName = appHost(fastify).name, origins } = setting
  const attempts = attemptBook(fastify, given, { kind: 'passkey', lifeMs: CHALLENGE_MS })
  const passkeys = new PasskeyService(store, { id: rpId, name: rpName, origins })
  return (scope) => passkeyRoutes(scope, { passkeys, attempts, host })
}

function withOAuth(fastify: FastifyInstance, given: Given): Routes | null {
  const { services, host, parts } = given
  const { config } = services
  const { oauth2 } = config
  if (oauth2 === undefined) return null
  const attempts = attemptBook(fastify, given, { kind: 'oauth', lifeMs: ATTEMPT_MS })
  const opened = openOAuth(fastify, { config, oauth2, parts, attempts, host })
  return (scope) => oauthRoutes(scope, opened)
}

function attemptBook(
  fastify: FastifyInstance,
  { services, parts }: Given,
  { kind, lifeMs }: { readonly kind: string; readonly lifeMs: number }
): AttemptBook {
  const { config, counter, journal } = services
  const { session, idempotency } = config
  return new AttemptBook({
    store: fastify.stores.select('idempotency', idempotency.store, parts.stores?.idempotency).store,
    cookie: new SessionCookie({ ...session, cookieName: `${session.cookieName}_${kind}` }),
    limit: new BeginLimit({ counter, journal }),
    kind,
    lifeMs
  })
}
