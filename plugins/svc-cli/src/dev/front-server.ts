/**
 * The one server of `svc dev`. It owns its ports from the first boot to the
 * last signal and hands each request to the application that is current.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ListenTarget, TlsListener } from 'svc-host'
import type { Generation } from './generation.ts'

export class FrontServer {
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  #tls: TlsListener | undefined
  #current: Generation

  constructor(first: Generation) {
    this.#current = first
    // As `serve` has it: times are kept to the second, and a request without a host is refused with a body.
    const settings = { connectionsCheckingInterval: 1000, requireHostHeader: false }
    this.#server = createServer(settings, (request, response) => this.#current.answer(request, response))
    this.#server.on('checkExpectation', (request, response) => this.#current.answerExpectation(request, response))
    this.#server.on('checkContinue', (request, response) => this.#current.answerContinue(request, response))
    this.#server.on('clientError', (error, socket) => this.#current.refuse(error, socket))
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      this.#current.upgrade(request, socket, head)
    })
    first.tune(this.#server)
  }

  /**
   * The port for https, beside the plain one.
   *
   * @param open makes a listener whose events go to the server it is given
   * @throws the error of `listen`, such as EADDRINUSE
   */
  async listenTls(open: (plain: Server) => TlsListener, target: ListenTarget): Promise<string> {
    this.#tls = open(this.#server)
    return this.#tls.listen(target)
  }

  /** @throws the error of `listen`, such as EADDRINUSE */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    const { address, family, port: bound } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
  }

  /** From here on, requests go to `next`. @returns the generation before it, still answering what it began */
  swap(next: Generation): Generation {
    const previous = this.#current
    this.#current = next
    next.tune(this.#server)
    this.#tls?.follow()
    return previous
  }

  get current(): Generation {
    return this.#current
  }

  /** Admits nothing more, lets the current application finish within the time given, and frees the ports. */
  async close(graceMs: number): Promise<void> {
    const closed = Promise.all([new Promise((resolve) => this.#server.close(resolve)), this.#tls?.close()])
    this.#server.closeIdleConnections()
    await within(graceMs, this.#current.retire(1001, graceMs))
    this.#server.closeAllConnections()
    this.#tls?.cut()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

/** A client that never answers a closing handshake must not hold the process. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
