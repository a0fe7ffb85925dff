/**
 * A small OpenID Connect provider on the loopback: discovery, authorization with
 * PKCE, token, keys. Who asks is logged in at once, as `subject`. It can be bent.
 */
import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const CLIENT = { id: 'shop', secret: 'a secret of the shop' }

export class OidcServer {
  issuer = ''
  subject = 'account-7'
  /** Overrides claims of the next ID tokens. */
  claims: JWTPayload = {}
  /** Whether its document names a page to log out. */
  endsSessions = true
  /** Answers of its key set; others than 200 are an outage. */
  keysStatus = 200
  #key: CryptoKey | null = null
  readonly #app: FastifyInstance = Fastify()
  readonly #codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>()

  async start(): Promise<this> {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    this.#key = privateKey
    const jwk = { ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256', use: 'sig' }
    this.#app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_r, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    )
    this.#app.get('/.well-known/openid-configuration', async () => ({
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      ...(this.endsSessions ? { end_session_endpoint: `${this.issuer}/logout` } : {}),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256']
    }))
    this.#app.get('/keys', async (_request, reply) => reply.code(this.keysStatus).send({ keys: [jwk] }))
    this.#app.get<{ Querystring: Record<string, string> }>('/authorize', async ({ query }, reply) => {
      const code = randomUUID()
      const { code_challenge: challenge = '', nonce = '', redirect_uri: redirectUri = '', state = '' } = query
      this.#codes.set(code, { challenge, nonce, redirectUri })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state }).toString()
      return reply.redirect(back.href)
    })
    this.#app.post<{ Body: Record<string, string> }>('/token', async ({ body }, reply) => {
      const given = this.#codes.get(body.code ?? '')
      this.#codes.delete(body.code ?? '')
      const proof = createHash('sha256')
        .update(body.code_verifier ?? '')
        .digest('base64url')
      const holds = body.client_secret === CLIENT.secret && given?.redirectUri === body.redirect_uri
      if (given === undefined || !holds || proof !== given.challenge) {
        return reply.code(400).send({ error: 'invalid_grant' })
      }
      const idToken = new SignJWT({ nonce: given.nonce, ...this.claims })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(this.claims.iss ?? this.issuer)
        .setAudience(this.claims.aud ?? CLIENT.id)
        .setSubject(this.subject)
        .setIssuedAt()
        .setExpirationTime(this.claims.exp ?? '1m')
      return { access_token: randomUUID(), token_type: 'Bearer', id_token: await idToken.sign(privateKey) }
    })
    this.issuer = await this.#app.listen({ host: '127.0.0.1', port: 0 })
    return this
  }

  /** A logout token for its client. @param claims in place of those of a right one; `undefined` leaves it out */
  logoutToken(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const right = { iss: this.issuer, aud: CLIENT.id, iat: now, exp: now + 120, jti: randomUUID(), events }
    return new SignJWT({ ...right, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: '1', typ: 'logout+jwt', ...header })
      .sign(this.#key as CryptoKey)
  }

  /** What a browser is sent back with. @returns the query of the callback */
  async visit(url: string): Promise<URLSearchParams> {
    const answer = await fetch(url, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '').searchParams
  }

  close(): Promise<void> {
    return this.#app.close()
  }
}
