/** What the routes of accounts have in common: small JSON bodies, answers that no cache stores, and who may call them. */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { RateLimit } from 'svc-kernel'
import { routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { textUpTo } from 'svc-kernel/schemas'
import type { AccountView } from 'svc-security'
import { InvalidToken } from '../errors.ts'

export const ACCOUNTS_API = '/api/accounts'

export const address = textUpTo(320)
export const password = textUpTo(1024)
export const locale = { type: 'string', minLength: 2, maxLength: 35 } as const
/** 256 bits, base64url. Another text is no token. */
export const token = textUpTo(100)

const BODY_LIMIT = 8192

/** Declares routes that take JSON and nothing else, so that no plain form of another page can post to them. */
export function accountsApi(fastify: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
    scope.addHook('onRoute', (route) => {
      route.bodyLimit ??= BODY_LIMIT
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    routes(scope)
  })
}

/** A route that needs no session: a link, or what anybody may ask for. @param network its limit */
export function openRoute(name: string, network: RateLimit, summary: string, schema: FastifySchema) {
  return {
    config: { svc: routeSecurity(`svc.accounts.${name}`, { bypassFirewall: true }), limits: network },
    preValidation: strictQuery([]),
    schema: { ...schema, tags: ['accounts'], summary }
  }
}

/** A route of the session of who is signed in; no key or token opens it. */
export function ownRoute(name: string, summary: string, schema: FastifySchema) {
  return {
    config: { svc: routeSecurity(`svc.accounts.${name}`, { bypassFirewall: true, session: 'signed-in' }) },
    preValidation: strictQuery([]),
    schema: { ...schema, tags: ['accounts'], summary }
  }
}

/** Who is signed in, behind `gates.session`. @throws InvalidToken where the user is gone since */
export async function ownerOf(request: FastifyRequest): Promise<AccountView> {
  const { sessions, userAccounts } = request.server
  const session = await sessions.resume(request)
  const user = session?.user == null ? null : await userAccounts.find(session.user)
  if (user === null) throw new InvalidToken()
  return user
}
