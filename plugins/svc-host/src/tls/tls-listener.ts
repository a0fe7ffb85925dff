/**
 * The TLS port beside the plain one. It answers nothing itself: each event goes
 * to the plain server, so that one application serves both, upgrades too.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from 'svc-kernel'
import type { Application } from '../application/application.ts'
import { type ListenTarget, stopTimes } from '../config/define-config.ts'
import { TIMEOUT_CHECK_MS } from '../server/http.ts'
import { limitConnections } from '../server/limit-connections.ts'
import { releaseConnections } from '../server/release-connections.ts'
import { httpsCertificate, type TlsSettings } from './https-certificate.ts'
import { CertificateRenewal } from './renew-certificate.ts'

/** A TLS port whose requests and upgrades the plain server answers. */
export class TlsListener {
  readonly server: TlsServer
  readonly #plain: Server
  readonly #sockets = new Set<Socket>()

  /** @param plain answers; it need not listen */
  constructor(settings: TlsSettings, plain: Server) {
    this.#plain = plain
    this.server = createServer({
      ...settings,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false
    })
    this.server.on('request', (request, response) => plain.emit('request', request, response))
    this.server.on('clientError', (error: Error, socket: Duplex) => {
      if (!plain.emit('clientError', error, socket)) socket.destroy()
    })
    this.server.on('checkContinue', (request, response) => this.#expect('checkContinue', request, response))
    this.server.on('checkExpectation', (request, response) => this.#expect('checkExpectation', request, response))
    this.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Takes the limits of the plain server over, and listens. @returns the address. @throws as `listen` does, such as EADDRINUSE */
  async listen({ host, port }: ListenTarget): Promise<string> {
    this.follow()
    // Node hands an upgrade over as a plain request where nobody listens for it.
    if (this.#plain.listenerCount('upgrade') > 0)
      this.server.on('upgrade', this.#plain.emit.bind(this.#plain, 'upgrade'))
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ host, port }, () => {
        this.server.off('error', reject)
        resolve()
      })
    })
    const { address, family, port: bound } = this.server.address() as AddressInfo
    return `https://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
  }

  /** Takes the limits of the plain server over, as they are now. */
  follow(): void {
    const { keepAliveTimeout, headersTimeout, requestTimeout, maxRequestsPerSocket, timeout } = this.#plain
    Object.assign(this.server, { keepAliveTimeout, headersTimeout, requestTimeout, maxRequestsPerSocket })
    this.server.setTimeout(timeout)
  }

  /** Accepts nothing more, and ends what is idle. Settles when the last connection has ended. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeIdleConnections()
    await closed
  }

  /** Cuts what is left, also who never finished a handshake. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #expect(event: 'checkContinue' | 'checkExpectation', request: IncomingMessage, response: ServerResponse): void {
    if (this.#plain.emit(event, request, response)) return
    if (event === 'checkExpectation') {
      response.writeHead(417).end()
      return
    }
    response.writeContinue()
    this.#plain.emit('request', request, response)
  }
}

/**
 * Gives a Fastify instance its TLS port. Both ports stop together: neither cuts a request, and modules close after both.
 * Call when the modules are registered and before `ready()`, so that their `onClose` follows.
 *
 * @throws BootError SVC_HTTPS_CERTIFICATE
 */
export async function attachTls(
  fastify: FastifyInstance,
  app: Application,
  clock: Clock = systemClock
): Promise<TlsListener> {
  const read = () => httpsCertificate(app)
  const settings = await read()
  const tls = new TlsListener(settings, fastify.server)
  const renewal = new CertificateRenewal(tls.server, settings, { read, log: fastify.log, clock })
  let closed = Promise.resolve()
  limitConnections(fastify, app.config.server, { server: tls.server })
  releaseConnections(fastify, { server: tls.server, graceMs: stopTimes(app).graceMs })
  fastify.addHook('preClose', async () => {
    renewal.stop()
    // Not awaited here: the hooks that follow close the WebSockets it waits for.
    closed = tls.close()
    if (app.config.server?.forceCloseConnections === true) tls.cut()
  })
  fastify.addHook('onClose', () => closed)
  return tls
}
