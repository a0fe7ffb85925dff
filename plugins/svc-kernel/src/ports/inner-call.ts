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
  readonly body?: string | null
  readonly remoteAddress: string
  readonly encrypted?: boolean
  /** Most bytes that an answer may have. */
  readonly maxBytes?: number
  /** Called with the raw request, before it is routed. */
  readonly mark: (raw: IncomingMessage) => void
}

export interface InnerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** A text as it was sent in one piece; `null` for an answer that is larger than `maxBytes`. */
  readonly body: string | Buffer | null
}

export interface RunningCall {
  /** Rejects where the call is aborted, or its response ends without an answer. */
  readonly answer: Promise<InnerAnswer>
  /** Rejects the answer with `reason`, unless it is there: the handler sees a client that is gone. */
  readonly abort: (reason: Error) => void
}

export function innerCall(fastify: Pick<FastifyInstance, 'routing'>, call: InnerCall): RunningCall {
  const raw = new InnerRequest(call)
  const response = new KeptResponse(raw, call.maxBytes ?? Number.POSITIVE_INFINITY)
  call.mark(raw)
  fastify.routing(raw, response)
  return { answer: response.answer, abort: (reason) => response.abort(reason) }
}

/** What is read of the socket of a request. */
class InnerSocket {
  readonly remoteAddress: string
  readonly encrypted: boolean
  readonly remotePort = 0
  readonly destroyed = false
  readonly readable = true
  readonly writable = true

  constructor({ remoteAddress, encrypted = false }: InnerCall) {
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

class InnerRequest extends NodeRequest {
  readonly #body: string | null

  constructor(call: InnerCall) {
    super(new InnerSocket(call) as unknown as Socket)
    const { method, url, headers, body = null } = call
    this.#body = body
    this.httpVersion = '1.1'
    this.httpVersionMajor = 1
    this.httpVersionMinor = 1
    this.method = method
    this.url = url
    this.headers = body === null ? { ...headers } : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    this.complete = true
  }

  /** A request without a body is not read, and costs no turn of its stream. */
  override _read(): void {
    if (this.#body !== null) this.push(this.#body)
    this.push(null)
  }

  /** As Node's, which waits for the end of a socket. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.readableEnded && !this.aborted) {
      this.aborted = true
      this.emit('aborted')
    }
    done(error)
  }
}

class KeptResponse extends ServerResponse {
  readonly #max: number
  readonly answer: Promise<InnerAnswer>
  #resolve!: (answer: InnerAnswer) => void
  #reject!: (error: Error) => void
  #chunks: Array<string | Buffer> = []
  #size = 0
  #given: Record<string, unknown> | undefined
  #isOver = false

  constructor(raw: IncomingMessage, max: number) {
    super(raw)
    this.#max = max
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
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
    this.req.destroy()
    this.destroy(reason)
  }

  #take(chunk: unknown, encoding: unknown): void {
    if (chunk === undefined || chunk === null || this.#size > this.#max) return
    const isText = typeof chunk === 'string' && (typeof encoding !== 'string' || /^utf-?8$/i.test(encoding))
    const bytes = isText
      ? chunk
      : typeof chunk === 'string'
        ? Buffer.from(chunk, encoding as 'latin1')
        : Buffer.from(chunk as Uint8Array)
    this.#size += typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
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
          ? (this.#chunks[0] as string | Buffer)
          : Buffer.concat(this.#chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
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
