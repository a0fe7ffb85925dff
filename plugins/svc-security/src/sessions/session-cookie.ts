/**
 * The session cookie (RFC 6265bis): httpOnly, SameSite=Lax, for the whole host and
 * no other, with no lifetime of its own. On TLS it is Secure and `__Host-`, and
 * only that name is read: a page of a sibling host cannot plant one. Its value is a
 * session id and, once its user was proven again, what that renewal gave it, known to
 * the browser only: what is stored, listed and logged is the SHA-256 of each, from
 * which the cookie cannot be made.
 */
import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionConfig } from '../options.ts'

const ID_BYTES = 32
const FORM = /^([A-Za-z0-9_-]{43})(?:\.([A-Za-z0-9_-]{43}))?$/

/** What the cookie of a session says. */
export interface SessionToken {
  readonly id: string
  /** `null` until the user of the session is proven again. */
  readonly renewal: string | null
}

export class SessionCookie {
  readonly #plain: string
  readonly #host: string
  readonly #always: boolean
  #onBare: (() => void) | null

  /** @param onBare called once, when a cookie goes out that is not Secure */
  constructor(
    { cookieName, secureCookie }: Pick<SessionConfig, 'cookieName' | 'secureCookie'>,
    onBare: (() => void) | null = null
  ) {
    this.#onBare = onBare
    this.#plain = cookieName
    this.#host = `__Host-${cookieName}`
    this.#always = secureCookie === 'always'
  }

  /** As @fastify/session shows them, in `request.session.cookie`. */
  get attributes(): { path: string; httpOnly: boolean; sameSite: 'lax'; secure: boolean | 'auto' } {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#always || 'auto' }
  }

  /** True where the cookie of this request is Secure. */
  isSecure(request: FastifyRequest): boolean {
    return this.#always || request.protocol === 'https'
  }

  /** The token of a request; `null` without one, with an ill-formed one (no store is asked for it), and with two. */
  read(request: FastifyRequest): SessionToken | null {
    const { cookie } = request.headers
    if (cookie === undefined) return null
    const [, id, renewal = null] = FORM.exec(onlyValue(cookie, this.#name(request)) ?? '') ?? []
    return id === undefined ? null : { id, renewal }
  }

  /** True when the caller sends anything under our name: worth clearing. */
  isPresent(request: FastifyRequest): boolean {
    return request.headers.cookie?.includes(`${this.#name(request)}=`) ?? false
  }

  write(request: FastifyRequest, reply: FastifyReply, id: string, renewal: string | null = null): void {
    if (!this.isSecure(request)) {
      this.#onBare?.()
      this.#onBare = null
    }
    reply.header('set-cookie', this.#cookie(request, renewal === null ? id : `${id}.${renewal}`))
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('set-cookie', this.#cookie(request, '', 0))
  }

  /** Not by `reply.setCookie`, which takes defaults of the application, such as a domain. Nothing is to be escaped. */
  #cookie(request: FastifyRequest, value: string, maxAge?: number): string {
    const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
    const secure = this.isSecure(request) ? '; Secure' : ''
    return `${this.#name(request)}=${value}${age}; Path=/; HttpOnly${secure}; SameSite=Lax`
  }

  #name(request: FastifyRequest): string {
    return this.isSecure(request) ? this.#host : this.#plain
  }
}

export function newSessionId(): string {
  return randomBytes(ID_BYTES).toString('base64url')
}

/** Under which a session is stored and named. */
export function sessionRef(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** Two cookies of one name come from two places, and nothing says which one is ours. */
function onlyValue(header: string, name: string): string | null {
  let found: string | null = null
  for (const pair of header.split(';')) {
    const end = pair.indexOf('=')
    if (end === -1 || pair.slice(0, end).trim() !== name) continue
    if (found !== null) return null
    found = pair.slice(end + 1).trim()
  }
  return found
}
