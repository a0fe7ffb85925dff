/**
 * `@Body({stream: true})`: the raw bytes of the request as a readable stream, whatever their content type, limited by
 * `bodyLimit`. Two route-level hooks: the first hides the headers that announce a body from Fastify's parsers, the
 * second restores them.
 */
import { Readable } from 'node:stream'
import type {
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  preValidationHookHandler,
  RequestPayload
} from 'fastify'
import { errorCodes } from 'fastify'

const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }
const announced = Symbol('svc.announced-headers')

interface StreamRequest extends FastifyRequest {
  [announced]?: FastifyRequest['headers']
}

export const takeStream: preParsingHookHandler = function takeStream(request: StreamRequest, reply, payload, done) {
  const limit = request.routeOptions.bodyLimit
  if (Number(request.headers['content-length']) > limit) {
    reply.header('connection', 'close')
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  request.body = new BoundedBody(payload, limit, reply)
  request[announced] = request.headers
  request.headers = { ...request.headers, ...NO_BODY }
  done(null, payload)
}

export const showHeaders: preValidationHookHandler = function showHeaders(request: StreamRequest, _reply, done) {
  request.headers = request[announced] as FastifyRequest['headers']
  done()
}

/** Reads its source only on demand, so Node discards what a controller did not read. */
class BoundedBody extends Readable {
  readonly #source: RequestPayload
  readonly #limit: number
  readonly #reply: FastifyReply
  #received = 0
  #started = false

  constructor(source: RequestPayload, limit: number, reply: FastifyReply) {
    super()
    this.#source = source
    this.#limit = limit
    this.#reply = reply
    // A controller that reads by events must not crash the process if its client disconnects.
    this.on('error', () => undefined)
  }

  override _read(): void {
    if (!this.#started) this.#start()
    this.#source.resume()
  }

  /** Reads and drops the rest: unread data would block the next request of the connection. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#started) this.#source.off('data', this.#take).resume()
    done(error)
  }

  #start(): void {
    this.#started = true
    this.#source.on('data', this.#take)
    this.#source.on('end', () => {
      this.push(null)
    })
    this.#source.on('error', (error) => {
      this.destroy(error)
    })
    this.#source.on('close', () => {
      if (!this.readableEnded && !this.#source.readableEnded)
        this.destroy(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    })
  }

  readonly #take = (chunk: Buffer): void => {
    this.#received += chunk.length
    if (this.#received > this.#limit) {
      if (!this.#reply.raw.headersSent) this.#reply.header('connection', 'close')
      this.destroy(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    } else if (!this.push(chunk)) {
      this.#source.pause()
    }
  }
}
