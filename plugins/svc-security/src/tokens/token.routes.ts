/**
 * The token endpoint: a password for tokens, a refresh token for its successor, and
 * revocation by the holder of the token. They prove identity themselves, so no zone
 * asks for proof before them; a user with a second factor gets no token for a password only.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, publicRoute, SECURITY_API } from '../api/security-api.ts'
import { DPOP_NONCE_HEADER } from '../dpop/dpop-proofs.ts'
import { DpopNonceDue, InvalidDpopProof } from '../dpop/errors.ts'
import {
  AuthenticationUnavailable,
  InvalidCredentials,
  InvalidTarget,
  InvalidToken,
  PasswordsBusy,
  SecondFactorDue,
  Throttled
} from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { LoginService } from '../login/login-service.ts'
import type { IssuedTokens } from './issued-tokens.ts'
import type { TokenService } from './token-service.ts'

/** Where others find the public keys; they may keep them for as long as a new key waits before it signs. */
export const JWKS_PATH = `${SECURITY_API}/jwks`

/** One or more scope tokens (RFC 6749, 3.3), parted by single blanks. */
const scope = {
  type: 'string',
  maxLength: 2000,
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$'
} as const

const issueBody = closed({ username: textUpTo(1024), password: textUpTo(4096) }, { scope, resource: textUpTo(500) })
const presented = textUpTo(8192)

const ISSUE = [
  InvalidDpopProof,
  DpopNonceDue,
  InvalidTarget,
  InvalidCredentials,
  Throttled,
  SecondFactorDue,
  PasswordsBusy,
  AuthenticationUnavailable
]

/** What a login here was proven by. */
const PASSWORD: readonly string[] = Object.freeze(['pwd'])

export interface TokenRouteParts {
  readonly tokens: TokenService
  readonly login: Pick<LoginService, 'login'>
  readonly journal: SecurityJournal
  readonly clock: Pick<Clock, 'now'>
  /** `token_type` of its answers, where a token is bound to no key. */
  readonly scheme: string
}

interface IssueBody {
  readonly username: string
  readonly password: string
  readonly scope?: string
  /** RFC 8707: the `audience` of a zone. */
  readonly resource?: string
}

export function tokenRoutes(
  fastify: FastifyInstance,
  { tokens, login, journal, clock, scheme }: TokenRouteParts
): void {
  fastify.post<{ Body: IssueBody }>(
    `${SECURITY_API}/token`,
    {
      schema: { body: issueBody, response: { 200: answers.tokens }, errors: ISSUE },
      config: { svc: publicRoute('svc.token.issue') }
    },
    async (request, reply) => {
      const { username, password, scope = '', resource = null } = request.body
      const scopes = scope.split(' ').filter(Boolean)
      const issued = await journaled(request, 'token', async () => {
        const dpop = tokens.dpop.proofOf(request)
        const { user } = await login.login(request, username, password)
        if (user === null) throw new SecondFactorDue()
        const proven = { provenAt: clock.now(), factors: PASSWORD }
        return tokens.issue(user, { scopes, proven, dpop, audience: resource })
      })
      return given(reply, issued)
    }
  )

  fastify.post<{ Body: { readonly refresh_token: string } }>(
    `${SECURITY_API}/token/refresh`,
    {
      schema: {
        body: closed({ refresh_token: presented }),
        response: { 200: answers.tokens },
        errors: [InvalidDpopProof, DpopNonceDue, InvalidToken, AuthenticationUnavailable]
      },
      config: { svc: publicRoute('svc.token.refresh') }
    },
    async (request, reply) => {
      const renew = async () => tokens.refresh(request.body.refresh_token, tokens.dpop.proofOf(request))
      return given(reply, await journaled(request, 'refresh', renew))
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

  /** What a token or a proof is refused for goes to the journal. */
  async function journaled(
    request: FastifyRequest,
    authenticator: string,
    work: () => Promise<IssuedTokens>
  ): Promise<IssuedTokens> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof InvalidToken || error instanceof InvalidDpopProof)) throw error
      journal.authenticationFailed({ zone: 'svc', authenticator, status: 401, error }, request)
      throw error instanceof InvalidToken ? new InvalidToken() : error
    }
  }

  /** RFC 6749, 5.1: tokens are never kept by a cache. */
  function given(reply: FastifyReply, { accessToken, refreshToken, expiresIn, scopes, jkt }: IssuedTokens) {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    const nonce = jkt === null ? null : (tokens.dpop.proofs?.nonce() ?? null)
    if (nonce !== null) reply.header(DPOP_NONCE_HEADER, nonce)
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: jkt === null ? scheme : 'DPoP',
      expires_in: expiresIn,
      scope: scopes.join(' ')
    }
  }
}
