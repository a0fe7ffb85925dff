/**
 * A small OpenID Connect provider on the loopback: discovery, authorization with
 * PKCE, token, keys. Who asks is logged in at once, as `subject`. It can be bent.
 */
import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const CLIENT = { id: 'shop', secret: 'a secret of the shop' }

export class OidcServer {
  issuer = ''
  subject = 'account-7'
  /** Overrides claims of the next ID tokens. */
  claims: JWTPayload = {}
  readonly #app: FastifyInstance = Fastify()
  readonly #codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>()

  async start(): Promise<this> {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256', use: 'sig' }
    this.#app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_r, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    )
    this.#app.get('/.well-known/openid-configuration', async () => ({
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256']
    }))
    this.#app.get('/keys', async () => ({ keys: [jwk] }))
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

  /** What a browser is sent back with. @returns the query of the callback */
  async visit(url: string): Promise<URLSearchParams> {
    const answer = await fetch(url, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '').searchParams
  }

  close(): Promise<void> {
    return this.#app.close()
  }
}
