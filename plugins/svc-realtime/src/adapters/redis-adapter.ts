/** Messages between instances over one pub/sub channel of a Redis or Valkey server. */
import type { FastifyBaseLogger } from 'fastify'
import type { Redis, RedisOptions } from 'ioredis'
import { optionalPackage, randomId } from 'svc-kernel/plugin'
import { isChannelName } from '../channels/channel-locks.ts'
import { RedisUnavailable } from '../errors.ts'
import type { RealtimeAdapter } from './adapter.ts'

/** Readiness follows the return of the server within two seconds. */
const MAX_DELAY_MS = 1000
/** A command unanswered for this long has failed: a server can hang with its sockets open. */
const COMMAND_TIMEOUT_MS = 5000

/** How the client behaves: it never queues and never gives up. */
function redisSettings() {
  return {
    retryStrategy: retryDelay,
    // A message is of the moment: waiting for a reconnection would deliver it late, and fill the memory meanwhile.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS
  } satisfies RedisOptions
}

/** 50 ms, doubling, at most 1 s. @param attempt from 1 */
export function retryDelay(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt - 1, 10), MAX_DELAY_MS)
}

/** As the library words it: it gives this error neither a class nor a code. */
function isTimeout(error: Error): boolean {
  return error.message === 'Command timed out'
}

/** The address without user, password and parameters. */
export function shownTarget(url: string): string {
  if (!URL.canParse(url)) return 'an unreadable address'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

export interface RedisAdapterParts {
  /** `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS. */
  readonly url: string
  /** Starts the name of the pub/sub channel, so that several applications can share a server. */
  readonly prefix: string
  readonly log: FastifyBaseLogger
}

/** Messages that may be on their way to the server; more are lost, as no caller waits for them. */
const MAX_ON_THE_WAY = 1000

/**
 * While the server is away messages stay local and are counted; the log says so once, and the recovery once. The client
 * library is loaded when the adapter starts.
 */
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
  #logged: 'up' | 'down' | null = null
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
    const { Redis } = optionalPackage<typeof import('ioredis')>('ioredis', import.meta.url, {
      what: 'realtime over several instances',
      at: 'svc-realtime.redis'
    })
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
    this.#logged = 'down'
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
    // Without a listener the library writes to the console. The state logs it once, with the reason.
    client.on('error', (error: Error) => this.#state(gone, error))
  }

  /** A server that hangs keeps its sockets open: only a new connection shows when it answers again. */
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
    if (envelope === null) this.#log.debug('ignored a message on the realtime channel that svc did not write')
    else if (envelope.from !== this.#self) this.#deliver(envelope.channel, envelope.data)
  }

  #state(change: { readonly listening?: boolean; readonly speaking?: boolean }, error?: Error): void {
    this.#listening = change.listening ?? this.#listening
    this.#speaking = change.speaking ?? this.#speaking
    const now = this.connected ? 'up' : 'down'
    const starting = this.#logged === null && now === 'down' && error === undefined
    if (now === this.#logged || starting) return
    this.#logged = now
    const server = shownTarget(this.#url)
    if (now === 'up') {
      this.#log.info({ server, lost: this.#lost - this.#lostBefore }, 'realtime messages reach other instances again')
      this.#lostBefore = this.#lost
    } else {
      const reason = error?.message
      this.#log.error({ server, reason }, 'realtime messages stay in this instance: the Redis server cannot be reached')
    }
  }
}

/** A message on its way between instances. */
export interface Envelope {
  readonly from: string
  readonly channel: string
  /** JSON text. */
  readonly data: string
}

/** @param data JSON text */
export function writeEnvelope({ from, channel, data }: Envelope): string {
  return `{"from":${JSON.stringify(from)},"channel":${JSON.stringify(channel)},"data":${data}}`
}

/** What arrives was written by whoever reaches the server. @returns `null` for anything but an envelope */
export function readEnvelope(text: string): Envelope | null {
  try {
    const { from, channel, data } = JSON.parse(text) as Record<string, unknown>
    if (typeof from !== 'string' || !isChannelName(channel) || data === undefined) return null
    return { from, channel, data: JSON.stringify(data) }
  } catch {
    return null
  }
}
