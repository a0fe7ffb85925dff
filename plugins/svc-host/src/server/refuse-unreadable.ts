/**
 * Requests that no route ever sees, answered in the one error body: what is no HTTP, came too slowly, names no host, or
 * expects what no server can do. A text that the client sent is never sent back.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, errorBody } from 'svc-kernel'
import { noteFirstHook } from 'svc-kernel/host'
import { NoHost } from '../errors.ts'

/** How long a client may take to fetch the answer before its connection is cut, in milliseconds. */
const FETCH_MS = 1000

const unreadable = (statusCode: number, code: string, message: string): ErrorBody =>
  errorBody({ statusCode, message, code }, true)

const MALFORMED = unreadable(400, 'SVC_HTTP_400', 'the request is not valid HTTP/1.1')
const EXPECTATION = unreadable(417, 'SVC_HTTP_417', 'the server supports no Expect header other than 100-continue')
const BY_CODE: Readonly<Record<string, ErrorBody>> = {
  ERR_HTTP_REQUEST_TIMEOUT: unreadable(408, 'SVC_HTTP_408', 'the request did not arrive completely in time'),
  HPE_HEADER_OVERFLOW: unreadable(431, 'SVC_HTTP_431', 'request line and headers together are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: unreadable(413, 'SVC_HTTP_413', 'the extensions of a chunk are too large')
}
const BY_FRAMEWORK_CODE: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'the path is not a valid URL component',
  FST_ERR_MAX_PARAM_LENGTH: 'a parameter in the path is too long'
}

/** A connection whose request cannot be read. Nothing is said where an answer has begun, or to what is no HTTP client. */
export function answerClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  const { code = '' } = error
  this.log.trace({ err: error }, 'a request could not be read')
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  const isHttp = code.startsWith('HPE_') || code in BY_CODE
  if (!isHttp || !socket.writable || answer?.headersSent === true) {
    socket.destroy(error)
    return
  }
  answerAndEnd(socket, BY_CODE[code] ?? MALFORMED)
}

/** The one error body on a connection without a request, which ends behind it. */
export function answerAndEnd(socket: Socket, body: ErrorBody): void {
  const text = JSON.stringify(body)
  // Cutting at once what still sends would lose the answer with it.
  const cut = setTimeout(() => socket.destroy(), FETCH_MS).unref()
  socket.once('close', () => clearTimeout(cut))
  socket.end(
    `HTTP/1.1 ${body.statusCode} ${body.error}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

/** A path that the router refuses, before any route is known. */
export function frameworkErrors(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode = 500, code } = error
  const body = unreadable(statusCode, code, BY_FRAMEWORK_CODE[code] ?? error.message)
  reply.code(body.statusCode).send(body)
}

/** The two refusals that Node would send without a body. */
export function refuseUnreadable(fastify: FastifyInstance): void {
  const hook = noteFirstHook(fastify)
  fastify.addHook('onRequest', (request, reply, done) => {
    const { headers, httpVersionMinor } = request.raw
    if (headers.host === undefined && httpVersionMinor === 1) {
      reply.header('connection', 'close')
      // Of an upgrade Node lets go; nothing else would end the connection.
      reply.raw.once('finish', () => request.raw.socket.destroySoon())
      done(new NoHost())
    } else hook.next(request, reply, done)
  })
  const server: Server = fastify.server
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const text = JSON.stringify(EXPECTATION)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
    response.writeHead(EXPECTATION.statusCode, headers).end(text)
  })
}
