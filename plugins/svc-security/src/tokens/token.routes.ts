/**
 * The token endpoint: a password for tokens, a refresh token for its successor, and
 * revocation by whoever holds the token. They prove identity themselves, so no zone
 * stands before them; a user with a second factor gets no token for a password alone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicRoute, SECURITY_API } from '../api/security-api.ts'
import { InvalidCredentials, InvalidToken, SecondFactorDue } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { LoginJournal } from '../login/login-journal.ts'
import type { PasswordLogin } from '../login/login-service.ts'
import type { SecondFactors } from '../login/login-service.ts'
import { issueSchema, jwksAnswer, refreshSchema, revokeSchema, tokensAnswer } from './token-schemas.ts'
import type { IssuedTokens, TokenService } from './token-service.ts'

/** Where others find the public keys; they may keep them for as long as a new key waits before it signs. */
export const JWKS_PATH = `${SECURITY_API}/jwks`

export interface TokenRouteParts {
  readonly tokens: TokenService
  readonly login: Pick<PasswordLogin, 'attempt'>
  readonly secondFactors: Pick<SecondFactors, 'required'>
  readonly journal: SecurityJournal
}

interface IssueBody {
  readonly username: string
  readonly password: string
  readonly scope?: string
}

export function tokenRoutes(
  fastify: FastifyInstance,
  { tokens, login, secondFactors, journal }: TokenRouteParts
): void {
  const logins = new LoginJournal(journal)

  fastify.post<{ Body: IssueBody }>(
    `${SECURITY_API}/token`,
    { schema: { ...issueSchema, response: tokensAnswer }, config: { svc: publicRoute('svc.token.issue') } },
    async (request, reply) => {
      const { username, password, scope = '' } = request.body
      const user = await proven(username, password, request)
      const methods = await secondFactors.required(user.identifier)
      if (methods.length > 0) {
        logins.secondFactorDue(user.identifier, methods, request)
        throw new SecondFactorDue()
      }
      logins.succeeded(user.identifier, 'token', request)
      return answer(reply, await tokens.issue(user, { scopes: scope.split(' ').filter(Boolean) }))
    }
  )

  fastify.post<{ Body: { readonly refresh_token: string } }>(
    `${SECURITY_API}/token/refresh`,
    { schema: { ...refreshSchema, response: tokensAnswer }, config: { svc: publicRoute('svc.token.refresh') } },
    async (request, reply) => {
      try {
        return answer(reply, await tokens.refresh(request.body.refresh_token))
      } catch (error) {
        if (!(error instanceof InvalidToken)) throw error
        journal.authenticationFailed({ zone: 'svc', authenticator: 'refresh', status: 401, error }, request)
        throw new InvalidToken()
      }
    }
  )

  fastify.post<{ Body: { readonly token: string } }>(
    `${SECURITY_API}/token/revoke`,
    { schema: revokeSchema, config: { svc: publicRoute('svc.token.revoke') } },
    async (request, reply) => {
      // Whether there was anything to revoke is not told (RFC 7009, 2.2).
      await tokens.revoke(request.body.token)
      reply.header('cache-control', 'no-store')
      return { ok: true }
    }
  )

  fastify.get(
    JWKS_PATH,
    { schema: { response: jwksAnswer }, config: { svc: publicRoute('svc.token.jwks') } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60')
      return tokens.jwks()
    }
  )

  async function proven(identifier: string, password: string, request: FastifyRequest) {
    try {
      return await login.attempt({ identifier, password, ip: request.ip })
    } catch (error) {
      logins.failed(identifier, error, request)
      throw error instanceof InvalidCredentials ? new InvalidCredentials() : error
    }
  }
}

/** RFC 6749, 5.1: tokens are never kept by a cache. */
function answer(reply: FastifyReply, { accessToken, refreshToken, expiresIn, scopes }: IssuedTokens) {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope: scopes.join(' ')
  }
}
