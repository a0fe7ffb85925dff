/**
 * Carries messages over one pub/sub channel of a Redis or Valkey server. While
 * the server is away messages stay local and are counted; that is told once,
 * and so is the recovery. The client library is loaded when the adapter starts.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { randomId } from 'svc-kernel'
import { RedisUnavailable } from '../errors.ts'
import type { RealtimeAdapter } from './adapter.ts'
import { readEnvelope, writeEnvelope } from './envelope.ts'
import { isTimeout, redisSettings, shownTarget } from './redis-settings.ts'

export interface RedisAdapterParts {
  /** `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS. */
  readonly url: string
  /** Starts the name of the pub/sub channel, so that several applications can share a server. */
  readonly prefix: string
  readonly log: FastifyBaseLogger
}

/** Messages that may be on their way to the server; more are lost, as nobody waits for them. */
const MAX_ON_THE_WAY = 1000

export class RedisAdapter implements RealtimeAdapter {
  readonly name = 'redis'
  readonly #url: string
  readonly #topic: string
  readonly #log: FastifyBaseLogger
  readonly #self = randomId('rt_', 12)
  #publisher: Redis | null = null
  #subscriber: Redis | null = null
  #deliver: (channel: string, data: string) => void = () => undefined
  #listening = false
  #speaking = false
  #told: 'up' | 'down' | null = null
  #onTheWay = 0
  #lost = 0
  #lostBefore = 0

  constructor({ url, prefix, log }: RedisAdapterParts) {
    this.#url = url
    this.#topic = `${prefix}:messages`
    this.#log = log
  }

  get connected(): boolean {
    return this.#listening && this.#speaking
  }

  get lost(): number {
    return this.#lost
  }

  async start(deliver: (channel: string, data: string) => void): Promise<void> {
    this.#deliver = deliver
    const { Redis } = await import('ioredis')
    this.#publisher = new Redis(this.#url, redisSettings())
    this.#subscriber = new Redis(this.#url, redisSettings())
    this.#watch(this.#publisher, () => this.#state({ speaking: true }))
    this.#watch(this.#subscriber, () => this.#listen())
    this.#subscriber.on('message', (_topic, text) => this.#take(text))
  }

  publish(channel: string, data: string): void {
    if (this.#publisher === null || !this.#speaking || this.#onTheWay >= MAX_ON_THE_WAY) {
      this.#lost += 1
      return
    }
    this.#onTheWay += 1
    this.#publisher.publish(this.#topic, writeEnvelope({ from: this.#self, channel, data })).then(
      () => {
        this.#onTheWay -= 1
      },
      (error: Error) => {
        this.#onTheWay -= 1
        this.#lost += 1
        if (isTimeout(error)) this.#reconnect(error)
      }
    )
  }

  stop(): void {
    this.#told = 'down'
    this.#publisher?.disconnect()
    this.#subscriber?.disconnect()
  }

  /** @throws RedisUnavailable */
  async check(): Promise<void> {
    if (!this.connected || (await this.#publisher?.ping().catch(() => null)) !== 'PONG') throw new RedisUnavailable()
  }

  #watch(client: Redis, ready: () => void): void {
    const gone = client === this.#publisher ? { speaking: false } : { listening: false }
    client.on('ready', ready)
    client.on('close', () => this.#state(gone))
    // Without a listener the library writes to the console. The state tells it once, with the reason.
    client.on('error', (error: Error) => this.#state(gone, error))
  }

  /** A server that hangs keeps its sockets open: only a new connection tells when it answers again. */
  #reconnect(error: Error): void {
    if (!this.#speaking) return
    this.#state({ speaking: false }, error)
    this.#publisher?.disconnect(true)
  }

  /** On each connection: the library subscribes again by itself only where it had succeeded before. */
  #listen(): void {
    this.#subscriber?.subscribe(this.#topic).then(
      () => this.#state({ listening: true }),
      (error: Error) => this.#state({ listening: false }, error)
    )
  }

  #take(text: string): void {
    const envelope = readEnvelope(text)
    if (envelope === null) this.#log.debug('a foreign message arrived on the realtime channel; ignored')
    else if (envelope.from !== this.#self) this.#deliver(envelope.channel, envelope.data)
  }

  #state(change: { readonly listening?: boolean; readonly speaking?: boolean }, error?: Error): void {
    this.#listening = change.listening ?? this.#listening
    this.#speaking = change.speaking ?? this.#speaking
    const now = this.connected ? 'up' : 'down'
    const starting = this.#told === null && now === 'down' && error === undefined
    if (now === this.#told || starting) return
    this.#told = now
    const server = shownTarget(this.#url)
    if (now === 'up') {
      this.#log.info({ server, lost: this.#lost - this.#lostBefore }, 'realtime messages reach other instances')
      this.#lostBefore = this.#lost
    } else {
      const reason = error?.message
      this.#log.error({ server, reason }, 'realtime messages stay in this instance: the server is out of reach')
    }
  }
}
