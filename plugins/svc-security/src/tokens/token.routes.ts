/**
 * The token endpoint: a password for tokens, a refresh token for its successor, and
 * revocation by the holder of the token. They prove identity themselves, so no zone
 * asks for proof before them; a user with a second factor gets no token for a password only.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, publicRoute, SECURITY_API } from '../api/security-api.ts'
import {
  AuthenticationUnavailable,
  InvalidCredentials,
  InvalidToken,
  PasswordsBusy,
  SecondFactorDue,
  Throttled
} from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { LoginService } from '../login/login-service.ts'
import type { IssuedTokens, TokenService } from './token-service.ts'

/** Where others find the public keys; they may keep them for as long as a new key waits before it signs. */
export const JWKS_PATH = `${SECURITY_API}/jwks`

/** One or more scope tokens (RFC 6749, 3.3), parted by single blanks. */
const scope = {
  type: 'string',
  maxLength: 2000,
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$'
} as const

const issueBody = closed({ username: textUpTo(1024), password: textUpTo(4096) }, { scope })
const presented = textUpTo(8192)

const ISSUE = [InvalidCredentials, Throttled, SecondFactorDue, PasswordsBusy, AuthenticationUnavailable]

export interface TokenRouteParts {
  readonly tokens: TokenService
  readonly login: Pick<LoginService, 'login'>
  readonly journal: SecurityJournal
  /** `token_type` of its answers. */
  readonly scheme: string
}

interface IssueBody {
  readonly username: string
  readonly password: string
  readonly scope?: string
}

export function tokenRoutes(fastify: FastifyInstance, { tokens, login, journal, scheme }: TokenRouteParts): void {
  fastify.post<{ Body: IssueBody }>(
    `${SECURITY_API}/token`,
    {
      schema: { body: issueBody, response: { 200: answers.tokens }, errors: ISSUE },
      config: { svc: publicRoute('svc.token.issue') }
    },
    async (request, reply) => {
      const { username, password, scope = '' } = request.body
      const { user } = await login.login(request, username, password)
      if (user === null) throw new SecondFactorDue()
      return given(reply, await tokens.issue(user, { scopes: scope.split(' ').filter(Boolean), proven: true }))
    }
  )

  fastify.post<{ Body: { readonly refresh_token: string } }>(
    `${SECURITY_API}/token/refresh`,
    {
      schema: {
        body: closed({ refresh_token: presented }),
        response: { 200: answers.tokens },
        errors: [InvalidToken, AuthenticationUnavailable]
      },
      config: { svc: publicRoute('svc.token.refresh') }
    },
    async (request, reply) => {
      try {
        return given(reply, await tokens.refresh(request.body.refresh_token))
      } catch (error) {
        if (!(error instanceof InvalidToken)) throw error
        journal.authenticationFailed({ zone: 'svc', authenticator: 'refresh', status: 401, error }, request)
        throw new InvalidToken()
      }
    }
  )

  fastify.post<{ Body: { readonly token: string } }>(
    `${SECURITY_API}/token/revoke`,
    {
      schema: {
        body: closed({ token: presented }),
        response: { 200: answers.done },
        errors: [AuthenticationUnavailable]
      },
      config: { svc: publicRoute('svc.token.revoke') }
    },
    async (request, reply) => {
      // The answer does not say whether there was anything to revoke (RFC 7009, 2.2).
      await tokens.revoke(request.body.token)
      return noStore(reply, { ok: true })
    }
  )

  fastify.get(
    JWKS_PATH,
    { schema: { response: { 200: answers.publicKeys } }, config: { svc: publicRoute('svc.token.jwks') } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60')
      return tokens.jwks()
    }
  )

  /** RFC 6749, 5.1: tokens are never kept by a cache. */
  function given(reply: FastifyReply, { accessToken, refreshToken, expiresIn, scopes }: IssuedTokens) {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: scheme,
      expires_in: expiresIn,
      scope: scopes.join(' ')
    }
  }
}
