/**
 * A request that this process makes to a route of its own server: through router, hooks and handler, without a network and
 * without its text. The request is one of Node's; of the response, only what a server writes is kept.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// An import reads every export of the module, and one of them loads undici: 25 ms and 3 MB at boot.
const { IncomingMessage: NodeRequest, ServerResponse } = process.getBuiltinModule('node:http')

export interface InnerCall {
  readonly method: string
  /** Path and query, as on a request line. */
  readonly url: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `null` without a body. */
  readonly body: string | null
  readonly remoteAddress: string
  readonly encrypted: boolean
  /** Most bytes that an answer may have. */
  readonly maxBytes: number
  /** Called with the raw request, before it is routed. */
  readonly mark: (raw: IncomingMessage) => void
  /** Aborts the call: the handler sees a client that is gone. */
  readonly signal?: AbortSignal | undefined
}

export interface InnerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** `null` for one that is larger than `maxBytes`. */
  readonly body: Buffer | null
}

/** Rejects where the call is aborted, or its response ends without an answer. */
export function innerCall(fastify: Pick<FastifyInstance, 'routing'>, call: InnerCall): Promise<InnerAnswer> {
  return new Promise((resolve, reject) => {
    const { signal } = call
    const raw = requestOf(call)
    const response = new KeptResponse(raw, call.maxBytes, resolve, reject)
    if (signal !== undefined) {
      if (signal.aborted) return reject(signal.reason as Error)
      const abort = () => response.abort(signal.reason as Error)
      signal.addEventListener('abort', abort, { once: true })
      response.once('close', () => signal.removeEventListener('abort', abort))
    }
    call.mark(raw)
    fastify.routing(raw, response)
  })
}

/** What is read of the socket of a request. */
class InnerSocket {
  readonly remoteAddress: string
  readonly encrypted: boolean
  readonly remotePort = 0
  readonly destroyed = false
  readonly readable = true
  readonly writable = true

  constructor({ remoteAddress, encrypted }: InnerCall) {
    this.remoteAddress = remoteAddress
    this.encrypted = encrypted
  }

  setTimeout(): this {
    return this
  }

  on(): this {
    return this
  }

  once(): this {
    return this
  }

  off(): this {
    return this
  }

  removeListener(): this {
    return this
  }

  destroy(): this {
    return this
  }
}

function requestOf(call: InnerCall): IncomingMessage {
  const { method, url, headers, body } = call
  const raw = new NodeRequest(new InnerSocket(call) as unknown as Socket)
  raw.httpVersion = '1.1'
  raw.httpVersionMajor = 1
  raw.httpVersionMinor = 1
  raw.method = method
  raw.url = url
  raw.headers = body === null ? { ...headers } : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  if (body !== null) raw.push(body)
  raw.push(null)
  raw.complete = true
  return raw
}

class KeptResponse extends ServerResponse {
  readonly #max: number
  readonly #resolve: (answer: InnerAnswer) => void
  readonly #reject: (error: Error) => void
  #chunks: Buffer[] = []
  #size = 0
  #given: Record<string, unknown> | undefined
  #isOver = false

  constructor(
    raw: IncomingMessage,
    max: number,
    resolve: (answer: InnerAnswer) => void,
    reject: (error: Error) => void
  ) {
    super(raw)
    this.#max = max
    this.#resolve = resolve
    this.#reject = reject
  }

  override writeHead(status: number, reason?: unknown, headers?: unknown): this {
    this.statusCode = status
    this.#given = (typeof reason === 'object' ? reason : headers) as Record<string, unknown> | undefined
    // What `headersSent` reads.
    ;(this as unknown as { _header: string })._header = 'sent'
    return this
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode)
    this.#take(chunk, encoding)
    const done = typeof encoding === 'function' ? encoding : callback
    if (typeof done === 'function') process.nextTick(done as () => void)
    return true
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.finished) return this
    if (!this.headersSent) this.writeHead(this.statusCode)
    const done = [chunk, encoding, callback].find((each) => typeof each === 'function') as (() => void) | undefined
    if (typeof chunk !== 'function') this.#take(chunk, encoding)
    this.finished = true
    this.#settle()
    // As of a real one: who listens for the end is told after this call.
    process.nextTick(() => {
      done?.()
      this.emit('finish')
      this.#close()
    })
    return this
  }

  override destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    this.#fail(error ?? new Error('the response ended without an answer'))
    process.nextTick(() => this.#close())
    return this
  }

  abort(reason: Error): void {
    if (this.#isOver) return
    this.#fail(reason)
    this.req.emit('aborted')
    this.req.destroy()
    this.destroy(reason)
  }

  #take(chunk: unknown, encoding: unknown): void {
    if (chunk === undefined || chunk === null || this.#size > this.#max) return
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, (typeof encoding === 'string' ? encoding : 'utf8') as 'utf8')
        : Buffer.from(chunk as Uint8Array)
    this.#size += bytes.length
    if (this.#size > this.#max) {
      this.#chunks = []
      this.#settle()
      // Leaving ends the stream that is sent.
      process.nextTick(() => this.destroy())
    } else this.#chunks.push(bytes)
  }

  #settle(): void {
    if (this.#isOver) return
    this.#isOver = true
    const body =
      this.#size > this.#max
        ? null
        : this.#chunks.length === 1
          ? (this.#chunks[0] as Buffer)
          : Buffer.concat(this.#chunks)
    this.#resolve({ status: this.statusCode, headers: { ...this.getHeaders(), ...this.#given }, body })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reject(error)
  }

  #close(): void {
    if (this.closed) return
    this.emit('close')
  }
}
