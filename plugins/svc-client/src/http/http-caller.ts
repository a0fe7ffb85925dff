/** Calls by `fetch`: headers, CSRF token, idempotency key, time limit, interceptors, repetitions. */
import type { CallError } from '../errors.ts'
import type { CallSettings, ClientOptions } from '../options.ts'
import { failureOf } from './call-failures.ts'
import { type Content, contentOf, readAnswer } from './content.ts'
import { CsrfToken, STALE } from './csrf.ts'
import { repeated } from './retry.ts'
import { targetOf } from './target.ts'

/** Any call, before its types. */
export interface AnyCall extends CallSettings {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** The response itself is the answer. */
  readonly raw?: boolean
}

/** Calls a route by its name. @throws CallError, and TypeError for a parameter without a value */
export type Caller = (route: string, call?: AnyCall) => Promise<unknown>

const SAFE = /^(?:GET|HEAD|OPTIONS)$/
const TOKEN_PATH = '/svc/security/api/auth/csrf'
const TOKEN_HEADER = 'x-csrf-token'
const TIMEOUT_MS = 30_000

interface Page {
  readonly document?: unknown
  readonly location?: { readonly origin: string }
}

/** The origin of the server, and the path where it is mounted. @throws TypeError outside of a page */
export function baseOf({ baseUrl }: Pick<ClientOptions, 'baseUrl'>): string {
  const base = baseUrl ?? (globalThis as Page).location?.origin
  if (base === undefined) throw new TypeError('createClient needs baseUrl outside of a page')
  return base.replace(/\/+$/, '')
}

/** One request, with what its attempts share. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly call: AnyCall
  /** The idempotency key. */
  readonly key: string | false
}

export class HttpCaller {
  readonly #options: ClientOptions
  readonly #base: string
  readonly #credentials: 'same-origin' | 'include' | 'omit'
  readonly #send: (request: Request) => Promise<Response>
  readonly #csrf: CsrfToken | null

  constructor(options: ClientOptions) {
    const { credentials = 'same-origin', interceptors = [], fetch = (request) => globalThis.fetch(request) } = options
    this.#options = options
    this.#base = baseOf(options)
    this.#credentials = credentials
    this.#send = interceptors.reduceRight<(request: Request) => Promise<Response>>(
      (next, interceptor) => (request) => interceptor(request, next),
      (request) => fetch(request)
    )
    const path = options.csrf ?? ((globalThis as Page).document === undefined ? false : TOKEN_PATH)
    this.#csrf = path === false ? null : new CsrfToken(() => this.#readToken(path))
  }

  readonly caller: Caller = async (route, call = {}) => {
    const { params, query, body, signal, once = false, retry = this.#options.retry ?? {} } = call
    const [method, path] = targetOf(route, params, query)
    const asked = { method, path, call, key: once === true ? crypto.randomUUID() : once }
    const again = !(body instanceof ReadableStream)
    return repeated(() => this.#attempt(asked), { method, once: once !== false, retry: again && retry, signal })
  }

  async #attempt(asked: Asked): Promise<unknown> {
    const headers = await this.#headers(asked)
    const content = contentOf(asked.call.body, headers.has('content-type'))
    if (content.type !== undefined && !headers.has('content-type')) headers.set('content-type', content.type)
    const csrf = SAFE.test(asked.method) || headers.has('authorization') ? null : this.#csrf
    if (csrf === null) return this.#request(asked, content, headers)
    const token = await csrf.get()
    if (token !== null) headers.set(TOKEN_HEADER, token)
    try {
      return await this.#request(asked, content, headers)
    } catch (error) {
      if ((error as CallError).code !== STALE) throw error
      csrf.forget()
      const renewed = content.again ? await csrf.get() : null
      if (renewed === null || renewed === token) throw error
      headers.set(TOKEN_HEADER, renewed)
      return this.#request(asked, content, headers)
    }
  }

  async #request({ method, path, call }: Asked, content: Content, headers: Headers): Promise<unknown> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS, raw = false } = call
    const limit = new AbortController()
    const timer = timeoutMs > 0 ? setTimeout(() => limit.abort(), timeoutMs) : undefined
    try {
      signal?.throwIfAborted()
      const response = await this.#send(
        new Request(this.#base + path, {
          method,
          headers,
          credentials: this.#credentials,
          body: content.body ?? null,
          signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
          ...(content.again ? {} : { duplex: 'half' as const })
        })
      )
      // A stream may take as long as it likes.
      clearTimeout(timer)
      return await readAnswer(response, raw)
    } catch (error) {
      throw failureOf(error, signal, limit.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
  }

  async #headers({ call, key }: Pick<Asked, 'call' | 'key'>): Promise<Headers> {
    const { headers: given = {} } = this.#options
    const headers = new Headers(typeof given === 'function' ? await given() : given)
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value)
    if (key !== false) headers.set('idempotency-key', key)
    return headers
  }

  async #readToken(path: string): Promise<Response> {
    const headers = await this.#headers({ call: {}, key: false })
    return this.#send(new Request(this.#base + path, { credentials: this.#credentials, headers }))
  }
}
