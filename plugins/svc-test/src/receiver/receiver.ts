/** Takes messages in: verifies what can be verified, marks repeats, and remembers the newest. */
import type { FastifyError, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { RingBuffer } from 'svc-stores/plugin'
import { createSeenMessages, type SeenMessages, verifyWebhook, WebhookVerificationError } from 'svc-webhooks'
import { BadMessage, BadSignature } from '../errors.ts'
import type { TestConfig } from '../options.ts'
import { type ReceivedMessage, shownBody, shownHeaders, typeOf } from './received-message.ts'

const MAX_ID = 256

type Received = Pick<FastifyRequest, 'headers' | 'body'>

export class Receiver {
  /** Messages ever received. */
  total = 0
  readonly #config: TestConfig
  readonly #clock: Clock
  readonly #messages: RingBuffer<ReceivedMessage>
  readonly #seen: SeenMessages

  constructor(config: TestConfig, clock: Clock) {
    this.#config = config
    this.#clock = clock
    this.#messages = new RingBuffer(config.maxReceived)
    this.#seen = createSeenMessages({ maxEntries: config.maxReceived, clock })
  }

  newest(): ReceivedMessage[] {
    return [...this.#messages.newest()]
  }

  /** A message that must hold. @returns the refusal, or `null` */
  verify(request: Received, route: string, secret: string | undefined): FastifyError | null {
    const refusal = this.#check(request, secret ?? null)
    this.#note(request, { route, refusal, status: refusal?.statusCode ?? 200 })
    return refusal
  }

  /** A message that gets this status whatever it is; it is verified where a secret is given. */
  note(request: Received, route: string, secret: string | undefined, status: number): void {
    const refusal = secret === undefined ? undefined : this.#check(request, secret)
    this.#note(request, { route, refusal, status })
  }

  #check({ headers, body }: Received, secret: string | null): FastifyError | null {
    const { toleranceS } = this.#config
    return checkMessage({ secret, headers, body: bytesOf(body), toleranceS, now: () => this.#clock.now() })
  }

  #note({ headers, body }: Received, { route, refusal, status }: Verdict): void {
    const { 'webhook-id': given } = headers
    const id = typeof given === 'string' ? given.slice(0, MAX_ID) : null
    const bytes = bytesOf(body)
    this.total += 1
    this.#messages.push({
      at: this.#clock.now(),
      route,
      id,
      type: typeOf(bytes),
      verified: refusal === undefined ? null : refusal === null,
      reason: refusal?.message ?? null,
      // Of a message that was refused the id proves nothing.
      repeat: id !== null && !refusal && !this.#seen.firstTime(id),
      status,
      headers: shownHeaders(headers),
      body: shownBody(bytes)
    })
  }
}

interface Verdict {
  readonly route: string
  /** `null` for a message that holds, `undefined` where nothing was verified. */
  readonly refusal: FastifyError | null | undefined
  readonly status: number
}

function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

interface GivenMessage {
  /** `null` where none was given: nothing can be verified then. */
  readonly secret: string | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly toleranceS: number
  readonly now: () => number
}

/** Whether a message is what its sender signed. @returns the refusal, or `null` */
function checkMessage({ secret, ...message }: GivenMessage): FastifyError | null {
  if (secret === null) return new BadMessage('the query parameter secret is missing')
  try {
    verifyWebhook({ secret, ...message })
    return null
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.statusCode === 400) return new BadMessage(error.message)
    // A secret that cannot be read is one that came apart on its way through a URL.
    return new BadSignature()
  }
}
