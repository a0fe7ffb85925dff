/**
 * One open socket. Frames are served one at a time, in order, each in the context of the upgrade request and only while
 * its identity holds; requests to routes run beside each other, up to a bound. Nothing here throws into the socket.
 * Most sockets listen and say little: what serves frames and requests is made by the first that needs it.
 */
import type { FastifyRequest } from 'fastify'
import { LeavingSocket } from 'svc-decorators'
import { ANONYMOUS, type Clock, decoratorOf, requestChannels } from 'svc-kernel'
import { IDENTITY_OVER, type LastingConnection, logFailure, runInContext } from 'svc-kernel/plugin'
import type { WebSocket } from 'ws'
import type { ReportDenial } from '../audit-journal.ts'
import type { Hub } from '../channels/hub.ts'
import {
  CloseCode,
  failureFor,
  failureFrame,
  identityOver,
  identityUnavailable,
  internalFailure,
  notificationFrame,
  RpcCode,
  RpcFailure,
  type RpcId,
  type RpcRequest,
  readFrame,
  resultFrame,
  tooMany
} from '../json-rpc.ts'
import type { Answer, Method, Peer } from '../methods/method.ts'
import type { RealtimeLimits } from '../options.ts'
import { FrameQueue, FrameRate } from './inbox.ts'
import { Outbox } from './outbox.ts'

/** What all sockets of an application share. */
export interface ConnectionParts {
  readonly methods: ReadonlyMap<string, Method>
  readonly hub: Hub
  readonly reportDenial: ReportDenial
  readonly limits: RealtimeLimits
  readonly clock: Clock
  readonly connections: Set<Connection>
  /** Asks the locks of the channels of a socket again. */
  readonly askLocksAgain: (peer: Peer) => void
}

/** `undefined` when a step is done, else a promise of it. */
type Step = Promise<void> | undefined

const OPEN = 1

/** Looks without a sign of life after which the peer is taken for gone. */
const MAX_SILENCE = 2

export class Connection implements Peer, LastingConnection {
  readonly request: FastifyRequest
  readonly #parts: ConnectionParts
  readonly #socket: WebSocket
  readonly #outbox: Outbox
  #channels: Set<string> | null = null
  #rate: FrameRate | null = null
  #waiting: FrameQueue | null = null
  #closing: AbortController | null = null
  #busy = false
  #running = 0
  #leaving: LeavingSocket | null = null
  #silence = 0
  #unwatch: () => void = () => undefined
  #unask: () => void = this.#unwatch

  constructor(parts: ConnectionParts, socket: WebSocket, request: FastifyRequest) {
    const { limits, connections } = parts
    this.request = request
    this.#parts = parts
    this.#socket = socket
    this.#outbox = new Outbox(socket)
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    socket.on('pong', () => {
      this.#silence = 0
    })
    socket.on('close', () => this.#detach())
    connections.add(this)
    request.server.connectionDrain.join(this)
    this.notify('realtime.welcome', { user: request.user ?? ANONYMOUS, limits })
    this.#unwatch =
      request.liveIdentity?.whenOver(() => this.#end(IDENTITY_OVER, 'the identity has ended')) ?? this.#unwatch
  }

  /** The user of this socket, which no check changes. */
  get user(): string | null {
    return this.request.user === ANONYMOUS ? null : (this.request.user?.identifier ?? null)
  }

  get open(): boolean {
    return this.#socket.readyState === OPEN
  }

  get channels(): Set<string> {
    if (this.#channels !== null) return this.#channels
    this.#channels = new Set()
    const { liveIdentity } = this.request
    if (this.#parts.connections.has(this))
      this.#unask = liveIdentity?.whenChecked(() => this.#askLocksAgain()) ?? this.#unask
    return this.#channels
  }

  get signal(): AbortSignal {
    if (!this.#parts.connections.has(this)) return AbortSignal.abort()
    this.#closing ??= new AbortController()
    return this.#closing.signal
  }

  /** Messages that this peer was too slow for. */
  get dropped(): number {
    return this.#outbox.dropped
  }

  deliver(frame: Buffer): void {
    this.#outbox.message(frame)
  }

  notify(method: string, params: object): void {
    void this.#outbox.answer(notificationFrame(method, params))
  }

  /** Asking is no activity: an idle session still ends. */
  lookAfter(): void {
    this.#silence += 1
    if (this.#silence > MAX_SILENCE) {
      this.#socket.terminate()
      return
    }
    this.#socket.ping()
    if (this.#channels === null || this.#channels.size === 0) return
    const { liveIdentity } = this.request
    if (liveIdentity === null) this.#askLocksAgain()
    else liveIdentity.recheck()
  }

  /** Closes the socket because the application says so; a client may connect again, and is judged again. */
  disconnect(): void {
    this.#end(CloseCode.POLICY_VIOLATION, 'disconnected by the server')
  }

  leave(): void {
    const isIdle = () => !this.#busy && this.#running === 0 && (this.#waiting?.isEmpty ?? true)
    this.#leaving = new LeavingSocket(this.#socket, isIdle, (code, reason) => this.#end(code, reason))
    this.#leaving.look()
  }

  /** What the identity may is that of this moment: a role or a voter may have changed its mind since the channel was opened. */
  #askLocksAgain(): void {
    if (this.#channels === null || this.#channels.size === 0 || !this.open) return
    runInContext(this.request, () => this.#parts.askLocksAgain(this))
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.open) return
    this.#silence = 0
    const { limits, clock, reportDenial } = this.#parts
    if (data.length > limits.maxPayload) {
      this.#end(CloseCode.TOO_BIG, 'the frame is too large')
      return
    }
    const now = clock.now()
    this.#rate ??= new FrameRate(limits.framesPerSecond, limits.frameBurst, now)
    const verdict = this.#rate.take(now)
    if (verdict === 'flood') {
      reportDenial(this.request, { resource: null, reason: 'flood' })
      this.#end(CloseCode.POLICY_VIOLATION, 'too many frames')
    } else if (isBinary) {
      void this.#send(null, new RpcFailure(RpcCode.INVALID_REQUEST, 'frames are text, not binary'))
    } else if (verdict === 'excess') {
      void this.#send(readFrame(data.toString()).id, tooMany('too many frames; slow down'))
    } else if (this.#busy) {
      this.#waiting ??= new FrameQueue(this.#socket)
      this.#waiting.add(data)
    } else {
      this.#serve(data)
    }
  }

  #serve(data: Buffer): void {
    this.#busy = true
    let pending: Step
    try {
      pending = runInContext(this.request, () => this.#handle(data.toString()))
    } catch (error) {
      pending = this.#fail(undefined, error)
    }
    if (pending === undefined) this.#busy = false
    else pending.then(this.#next, this.#next)
  }

  /** Serves what waited, in a loop rather than by recursion: there may be many. */
  readonly #next = (): void => {
    this.#busy = false
    while (!this.#busy && this.open) {
      const waiting = this.#waiting?.take()
      if (waiting === undefined) break
      this.#serve(waiting)
    }
    this.#leaving?.look()
  }

  #handle(text: string): Step {
    const frame = readFrame(text)
    if ('failure' in frame) return this.#send(frame.id, frame.failure)
    const method = this.#parts.methods.get(frame.method)
    if (method === undefined) {
      return this.#send(frame.id, new RpcFailure(RpcCode.UNKNOWN_METHOD, 'no such method'))
    }
    const holds = this.#holds()
    if (typeof holds === 'boolean') return holds ? this.#run(method, frame) : this.#refuse(frame)
    return holds.then((settled) => (settled ? this.#run(method, frame) : this.#refuse(frame)))
  }

  #holds(): boolean | Promise<boolean> {
    return this.request.liveIdentity?.holds() ?? true
  }

  /** An identity that is over closes the socket; one that cannot be looked at refuses the frame. */
  #refuse({ id }: RpcRequest): Step {
    if (this.request.liveIdentity?.unavailable === true) return this.#send(id, identityUnavailable())
    void this.#send(id, identityOver())
    this.#end(IDENTITY_OVER, 'the identity has ended')
    return undefined
  }

  #run(method: Method, frame: RpcRequest): Step {
    if (!method.concurrent) return this.#settle(method, frame)
    const { maxRequests } = this.#parts.limits
    if (this.#running >= maxRequests) return this.#send(frame.id, tooMany('too many requests are being served'))
    this.#running += 1
    const settling = this.#settle(method, frame)
    if (settling === undefined) this.#running -= 1
    else settling.then(this.#over, this.#over)
    return undefined
  }

  #settle(method: Method, frame: RpcRequest): Step {
    if (!requestChannels.frame.hasSubscribers) return this.#call(method, frame)
    const told = { request: this.request, method: frame.method }
    return requestChannels.frame.trace(told, () => this.#call(method, frame))
  }

  #call(method: Method, { id, params }: RpcRequest): Step {
    const fail = (error: unknown): Step => this.#fail(id, error)
    try {
      const answer = method.run(this, params)
      if (answer instanceof Promise) return answer.then((settled) => this.#answer(id, settled)).catch(fail)
      return this.#answer(id, answer)
    } catch (error) {
      return fail(error)
    }
  }

  readonly #over = (): void => {
    this.#running -= 1
    this.#leaving?.look()
  }

  #fail(id: RpcId | undefined, error: unknown): Step {
    logFailure(this.request.log, error, 'a frame failed')
    return this.#send(id, internalFailure())
  }

  /** Where answers wait for what their frames recorded, this one does. */
  #answer(id: RpcId | undefined, answer: Answer): Step {
    const stored = decoratorOf(this.request.server, 'audit')?.storedFor?.(this.request) ?? null
    if (stored === null) return this.#send(id, answer)
    return stored.then(
      () => this.#send(id, answer),
      (error) => this.#send(id, failureFor(error, false))
    )
  }

  /** A notification (`id` undefined) is never answered. */
  #send(id: RpcId | undefined, answer: Answer): Step {
    if (id === undefined) return undefined
    return this.#outbox.answer(answer instanceof RpcFailure ? failureFrame(id, answer) : resultFrame(id, answer))
  }

  #end(code: number, reason: string): void {
    this.#socket.close(code, reason)
    this.#detach()
  }

  /** From here on nothing is left of the socket but its closing handshake. */
  #detach(): void {
    const { hub, connections } = this.#parts
    if (!connections.delete(this)) return
    this.request.server.connectionDrain.part(this)
    for (const channel of this.#channels ?? []) hub.leave(channel, this)
    this.#channels = null
    this.#waiting?.clear()
    this.#unwatch()
    this.#unask()
    this.#closing?.abort()
  }
}
