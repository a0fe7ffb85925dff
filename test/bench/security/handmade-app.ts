/**
 * The same by hand, as an application without the plugin might have it: a hook per route that hashes what was sent,
 * looks it up in a `Map`, and sets `request.user`. No revocation by subject, no audit, no limits.
 */
import crypto, { hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createVerifier } from 'fast-jwt'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler
} from 'fastify'
import { USER } from './identities-app.ts'

interface Given {
  readonly apikey: string
  readonly jwt: string
  readonly cookie: string
  readonly publicKey: KeyObject
  /** Of the token that is verified each time. */
  readonly firstKey: KeyObject
}

interface Identity {
  readonly identifier: string
  readonly roles: readonly string[]
}

interface HandmadeRequest extends FastifyRequest {
  caller: Identity | null
}

const COST = { parallelism: 1, tagLength: 32, memory: 19456, passes: 2 }

const BEARER = /^Bearer ([\x21-\x7e]+)$/i

export async function handmade({ apikey, jwt, cookie, publicKey, firstKey }: Given): Promise<FastifyInstance> {
  const users = new Map<string, Identity>([[USER.identifier, { identifier: USER.identifier, roles: ['ROLE_USER'] }]])
  const [name = '', id = ''] = cookie.split('=')
  const keys = new Map([
    [hash('sha256', apikey, 'hex'), { subject: USER.identifier, expiresAt: Date.now() + 86_400_000 }]
  ])
  const sessions = new Map([[hash('sha256', id, 'base64url'), { user: USER.identifier, updatedAt: Date.now() }]])
  const known = new Map<string, { readonly sub: string; readonly exp: number }>()
  const verifiedBy = (key: KeyObject) =>
    createVerifier({ key: key.export({ type: 'spki', format: 'pem' }), algorithms: ['EdDSA'], cache: false }) as (
      token: string
    ) => { readonly sub: string; readonly exp: number }
  const verifyFirst = verifiedBy(firstKey)
  known.set(hash('sha256', jwt, 'base64url'), verifiedBy(publicKey)(jwt))
  const argon2 = promisify(crypto.argon2)
  const nonce = randomBytes(16)
  const stored = await argon2('argon2id', { ...COST, nonce, message: USER.password })

  const bearer = ({ headers }: FastifyRequest) => BEARER.exec(headers.authorization ?? '')?.[1] ?? ''
  const proofs: Readonly<Record<string, (request: FastifyRequest) => Identity | undefined>> = {
    '/apikey': (request) => {
      const key = keys.get(hash('sha256', bearer(request), 'hex'))
      return key === undefined || key.expiresAt <= Date.now() ? undefined : users.get(key.subject)
    },
    '/session': ({ headers }) => {
      const pair = headers.cookie?.split(';').find((each) => each.trim().startsWith(`${name}=`))
      const session = sessions.get(hash('sha256', pair?.trim().slice(name.length + 1) ?? '', 'base64url'))
      return session === undefined || session.updatedAt + 1_800_000 <= Date.now() ? undefined : users.get(session.user)
    },
    '/jwt': (request) => {
      const claims = known.get(hash('sha256', bearer(request), 'base64url'))
      return claims === undefined || claims.exp * 1000 <= Date.now() ? undefined : users.get(claims.sub)
    },
    '/first-jwt': (request) => users.get(verifyFirst(bearer(request)).sub)
  }

  const app = Fastify({ logger: false })
  app.decorateRequest('caller', null)
  app.get('/empty', () => 'ok')
  for (const [path, prove] of Object.entries(proofs)) {
    const onRequest: onRequestHookHandler = (request, reply, done) => {
      const caller = prove(request)
      if (caller === undefined) {
        reply.code(401).send()
        return
      }
      ;(request as HandmadeRequest).caller = caller
      done()
    }
    app.get(path, { onRequest }, () => 'ok')
  }
  const withPassword = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ')
    const [identifier = '', message = ''] = Buffer.from(encoded, 'base64').toString().split(':')
    const caller = users.get(identifier)
    const matches = timingSafeEqual(await argon2('argon2id', { ...COST, nonce, message }), stored)
    if (caller === undefined || !matches) return reply.code(401).send()
    ;(request as HandmadeRequest).caller = caller
    return undefined
  }
  app.get('/basic', { onRequest: withPassword }, () => 'ok')
  await app.ready()
  return app
}
