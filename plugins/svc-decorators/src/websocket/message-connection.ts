/**
 * One WebSocket connection of a WEBSOCKET route. Messages are served one at a
 * time, in order, each in the ambient context of the upgrade request and
 * behind the guard; what waits is bounded, and a peer that does not read is
 * made to wait, then cut off. Nothing here ever throws into the socket.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AuthenticationUnavailable, decoratorOf, errorBody, inProduction, requestChannels } from 'svc-kernel'
import {
  checkAccess,
  IDENTITY_OVER,
  isStepUp,
  isThenable,
  type LastingConnection,
  limitMessage,
  logFailure,
  runInContext
} from 'svc-kernel/plugin'
import type { WebSocket } from 'ws'
import { UnsupportedFrame } from '../errors.ts'
import type { MessageChannel } from '../executor/argument-readers.ts'
import { pendingOf } from '../executor/compile-executor.ts'
import { LeavingSocket } from './leaving-socket.ts'
import type { MessageCodec } from './message-codec.ts'
import type { SocketEndpoint } from './socket-endpoint.ts'
import { WaitingMessages } from './waiting-messages.ts'

/** Answers that the peer has not read, in bytes, above which the next message waits. */
const HOLD_BYTES = 1_048_576

/** Answers that the peer has not read, in bytes, above which the connection is closed with 1013. */
const CLOSE_BYTES = 8_388_608

const OPEN = 1
const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
const NOTHING = Buffer.alloc(0)

const { frame } = requestChannels

/** `undefined` when a step is done, else a promise of it: messages stay synchronous while their controllers do. */
type Step = Promise<void> | undefined

export class MessageConnection implements MessageChannel, LastingConnection {
  readonly socket: WebSocket
  data: Buffer = NOTHING
  body: unknown = undefined
  #isBinary = false
  #busy = false
  #leaving: LeavingSocket | null = null
  readonly #endpoint: SocketEndpoint
  readonly #codec: MessageCodec
  readonly #server: FastifyInstance
  readonly #request: FastifyRequest
  readonly #waiting: WaitingMessages

  constructor(endpoint: SocketEndpoint, server: FastifyInstance, socket: WebSocket, request: FastifyRequest) {
    this.#endpoint = endpoint
    this.#codec = endpoint.codec(server)
    this.#server = server
    this.#request = request
    this.#waiting = new WaitingMessages(socket)
    this.socket = socket
    socket.on('message', (data, isBinary) => {
      this.#receive(data as Buffer, isBinary)
    })
    const drain = decoratorOf(server, 'connectionDrain')
    drain?.join(this)
    const forget = request.liveIdentity?.whenOver(this.#end)
    socket.on('close', () => {
      drain?.part(this)
      this.#waiting.clear()
      forget?.()
    })
    socket.on('error', (error) => {
      request.log.debug({ err: error }, 'the WebSocket connection failed')
    })
  }

  text(): string {
    return this.data.toString()
  }

  /** As `@Ctx()` shows it. */
  get message(): string | Buffer {
    return this.#isBinary || this.#endpoint.binary ? this.data : this.text()
  }

  leave(): void {
    const isIdle = () => !this.#busy && this.#waiting.isEmpty
    this.#leaving = new LeavingSocket(this.socket, isIdle, (code, reason) => this.#close(code, reason))
    this.#leaving.look()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.socket.readyState !== OPEN) return
    if (this.#busy) this.#waiting.add(data, isBinary)
    else this.#serve(data, isBinary)
  }

  #serve(data: Buffer, isBinary: boolean): void {
    this.#busy = true
    this.data = data
    this.#isBinary = isBinary
    let pending: Step
    try {
      pending = frame.hasSubscribers
        ? frame.trace({ request: this.#request, method: null }, this.#inContext)
        : this.#inContext()
    } catch (error) {
      pending = this.#fail(error)
    }
    if (pending === undefined) this.#release()
    else pending.then(this.#next, this.#next)
  }

  readonly #inContext = (): Step => runInContext(this.#request, this.#identify)

  #release(): void {
    this.#busy = false
    this.data = NOTHING
    this.body = undefined
  }

  /** Serves what waited, in a loop rather than by recursion: there may be many. */
  readonly #next = (): void => {
    this.#release()
    while (!this.#busy && this.socket.readyState === OPEN) {
      const waiting = this.#waiting.take()
      if (waiting === undefined) break
      this.#serve(waiting.data, waiting.isBinary)
    }
    this.#leaving?.look()
  }

  /** The identity first: a session or a token may have ended since the upgrade. */
  readonly #identify = (): Step => {
    const holds = this.#request.liveIdentity?.holds() ?? true
    return holds instanceof Promise ? holds.then(this.#enter, this.#fail) : this.#enter(holds)
  }

  /** Without an answer the message is refused and the socket stays: an outage says nothing about the caller. */
  readonly #enter = (holds: boolean): Step => {
    if (holds) return this.#admit()
    if (this.#request.liveIdentity?.unavailable !== true) return this.#end()
    return this.#send(JSON.stringify(errorBody(new AuthenticationUnavailable(), false)))
  }

  /** The guard, on each message: an identity may have lost its rights since the upgrade. */
  readonly #admit = (): Step => {
    const { requirement } = this.#endpoint
    if (requirement === null) return this.#limit()
    try {
      const pending = checkAccess(this.#server, this.#request, requirement)
      if (pending !== undefined) return pending.then(this.#limit, this.#refuse)
    } catch (error) {
      return this.#refuse(error)
    }
    return this.#limit()
  }

  /** One over a limit is answered, and the socket stays: the next may be in time. */
  readonly #limit = (): Step => {
    const { operation } = this.#endpoint
    if (operation === null) return this.#run()
    const refusal = limitMessage(this.#server, operation, this.#request)
    return isThenable(refusal) ? refusal.then(this.#runUnless) : this.#runUnless(refusal)
  }

  readonly #runUnless = (refusal: Error | null): Step => (refusal === null ? this.#run() : this.#fail(refusal))

  readonly #run = (): Step => {
    try {
      const pending = this.#readBody()
      if (pending !== undefined) return pending.then(this.#execute).then(this.#deliver, this.#fail)
      const result = this.#execute()
      const settling = pendingOf(result)
      return settling === null ? this.#deliver(result) : settling.then(this.#deliver, this.#fail)
    } catch (error) {
      return this.#fail(error)
    }
  }

  #readBody(): Step {
    const { binary, readsBody } = this.#endpoint
    if (this.#isBinary && !binary) throw new UnsupportedFrame()
    if (!readsBody) return undefined
    const body = this.#codec.readBody(this.text())
    const validating = pendingOf(body)
    if (validating === null) {
      this.body = body
      return undefined
    }
    return validating.then((validated) => {
      this.body = validated
    })
  }

  readonly #execute = (): unknown => this.#endpoint.execute(this.#server, this.#request, this)

  readonly #deliver = (result: unknown): Step => {
    if (result === undefined) return undefined
    try {
      const frame = this.#codec.writeResult(result)
      return frame === undefined ? undefined : this.#answer(frame)
    } catch (error) {
      return this.#fail(error)
    }
  }

  /** Where answers wait for what their messages recorded, this one does. */
  #answer(frame: string | Uint8Array): Step {
    const stored = decoratorOf(this.#server, 'audit')?.storedFor?.(this.#request) ?? null
    return stored === null ? this.#send(frame) : stored.then(() => this.#send(frame), this.#fail)
  }

  readonly #fail = (error: unknown): Step => {
    const body = errorBody(error, inProduction(this.#server))
    if (body.statusCode >= 500 && this.#server.outageLog.firstOccurrence(error))
      logFailure(this.#request.log, error, 'the message failed')
    else this.#request.log.debug({ code: body.code, statusCode: body.statusCode }, body.message)
    return this.#send(JSON.stringify(body))
  }

  /** Who is asked to prove more may do so, and then go on with the same socket. */
  readonly #refuse = (error: unknown): Step => {
    if (isStepUp(error)) return this.#fail(error)
    void this.#fail(error)
    this.#close(POLICY_VIOLATION, 'access denied')
    return undefined
  }

  readonly #end = (): undefined => {
    this.#close(IDENTITY_OVER, 'the session or token has ended')
  }

  /** A peer that reads slowly delays its own next message; one that leaves too much unread is cut off. */
  #send(frame: string | Uint8Array): Step {
    const { socket } = this
    if (socket.readyState !== OPEN) return undefined
    const unread = socket.bufferedAmount
    if (unread > CLOSE_BYTES) {
      this.#close(TRY_AGAIN_LATER, 'slow consumer')
      return undefined
    }
    if (unread + frame.length <= HOLD_BYTES) {
      socket.send(frame)
      return undefined
    }
    return new Promise((resolve) => {
      socket.send(frame, () => {
        resolve()
      })
    })
  }

  #close(code: number, reason: string): void {
    this.socket.close(code, reason)
    this.#waiting.clear()
  }
}
