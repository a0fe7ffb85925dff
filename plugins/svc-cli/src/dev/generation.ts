/**
 * One loaded application behind the front server. Its own server never
 * listens: requests and upgrades are handed to it as events. When it is
 * replaced it finishes what it began; its WebSockets are closed with 1012
 * (service restart), as they would go on running the code before the edit.
 */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Application, DevLog } from 'svc-host'
import type { AppHost } from 'svc-kernel'
import type { DeclaredRoute } from 'svc-kernel/plugin'
import type { Host } from '../application/app-packages.ts'
import { noteRoutes } from '../application/note-routes.ts'

export interface GenerationParts {
  readonly importModule: AppHost['importModule']
  readonly devLog: DevLog
}

interface Booted {
  readonly fastify: FastifyInstance
  readonly server: Server
  readonly options: FastifyServerOptions
}

interface WebSocketServer {
  readonly clients: Iterable<{ close(code: number, reason: string): void }>
}

export class Generation {
  readonly app: Application
  /** In order of declaration. */
  readonly routes: readonly DeclaredRoute[]
  readonly #fastify: FastifyInstance
  readonly #server: Server
  readonly #timeouts: Pick<
    FastifyServerOptions,
    'keepAliveTimeout' | 'requestTimeout' | 'connectionTimeout' | 'maxRequestsPerSocket'
  >
  #running = 0
  #idle: (() => void) | null = null

  private constructor(app: Application, routes: readonly DeclaredRoute[], booted: Booted) {
    const { fastify, server, options } = booted
    this.app = app
    this.routes = routes
    this.#fastify = fastify
    this.#server = server
    this.#timeouts = options
  }

  /** Loads the application and boots it. @throws what its boot throws; the half-built server is closed */
  static async open(host: Host, app: Application, { importModule, devLog }: GenerationParts): Promise<Generation> {
    const server = createHttpServer()
    let options: FastifyServerOptions = {}
    const serverFactory: FastifyServerOptions['serverFactory'] = (handler, given) => {
      options = given as FastifyServerOptions
      return server.on('request', handler)
    }
    const routes: DeclaredRoute[] = []
    const fastify = await host.locateProblems(app, async () => {
      const stopNoting = noteRoutes(routes)
      const booting = await host.createServer(app, { importModule, devLog, serverFactory }).finally(stopNoting)
      try {
        await booting.ready()
      } catch (error) {
        await booting.close().catch(() => undefined)
        throw error
      }
      return booting
    })
    return new Generation(app, routes, { fastify, server, options })
  }

  /** For what the command itself does with the application. */
  get fastify(): FastifyInstance {
    return this.#fastify
  }

  /** Requests that have begun and not ended. */
  get running(): number {
    return this.#running
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#count(response)
    this.#server.emit('request', request, response)
  }

  answerContinue(request: IncomingMessage, response: ServerResponse): void {
    this.#count(response)
    if (this.#server.emit('checkContinue', request, response)) return
    response.writeContinue()
    this.#server.emit('request', request, response)
  }

  answerExpectation(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#server.emit('checkExpectation', request, response)) response.writeHead(417).end()
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#server.emit('upgrade', request, socket, head)) return
    socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  }

  refuse(error: Error, socket: Duplex): void {
    if (!this.#server.emit('clientError', error, socket)) socket.destroy()
  }

  /** Gives the listening server the timeouts this application asks for. */
  tune(listening: Server): void {
    const { keepAliveTimeout, requestTimeout, connectionTimeout, maxRequestsPerSocket } = this.#timeouts
    if (keepAliveTimeout !== undefined) listening.keepAliveTimeout = keepAliveTimeout
    if (requestTimeout !== undefined) {
      listening.requestTimeout = requestTimeout
      // Where a head may take longer than a whole request, Node does not look after slow bodies.
      listening.headersTimeout = Math.min(60_000, requestTimeout || 60_000)
    }
    if (maxRequestsPerSocket !== undefined) listening.maxRequestsPerSocket = maxRequestsPerSocket ?? 0
    if (connectionTimeout !== undefined) listening.setTimeout(connectionTimeout)
  }

  /**
   * Closes the application once its requests have ended, or the time is over.
   *
   * @param code WebSocket close code: 1012 on a reload, 1001 on a stop
   */
  async retire(code: 1001 | 1012, graceMs: number): Promise<void> {
    const { websocketServer } = this.#fastify as { websocketServer?: WebSocketServer }
    for (const client of websocketServer?.clients ?? [])
      client.close(code, code === 1012 ? 'the code was reloaded' : 'the server stops')
    await this.#finished(graceMs)
    await this.#fastify.close()
  }

  #count(response: ServerResponse): void {
    this.#running += 1
    response.once('close', () => {
      this.#running -= 1
      if (this.#running === 0) this.#idle?.()
    })
  }

  #finished(graceMs: number): Promise<void> {
    if (this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      this.#idle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
