/** What each side of the measurement of sustained deliveries does: takes messages, keeps them, sends them. */
import { Pool } from 'undici'

/** Where a side keeps what it was given, and where it sends it. */
export interface SenderSettings {
  readonly side: 'svc' | 'outbox' | 'bullmq'
  /** `sqlite:`, `postgres://` or `redis://`. */
  readonly storage: string
  readonly receiver: string
}

/** Of every event. */
export const ENDPOINTS = 4
/** Requests under way at once, of one process. */
export const SLOTS = 16
/** Deliveries of one write. */
export const BATCH = 100

export interface Sender {
  /** Resolves when so many deliveries are stored. */
  admit(deliveries: number): Promise<void>
  close(): Promise<void>
}

/** A message as it is sent by hand: with undici, signed as Standard Webhooks say. */
export interface BareMessage {
  readonly id: string
  readonly body: string
}

export class BareHttp {
  readonly #pool: Pool
  readonly #sign: (message: BareMessage, timestampS: number) => string

  constructor(receiver: string, sign: (message: BareMessage, timestampS: number) => string) {
    this.#pool = new Pool(receiver, { connections: SLOTS })
    this.#sign = sign
  }

  async send(message: BareMessage): Promise<void> {
    const timestampS = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': this.#sign(message, timestampS)
    }
    const answer = await this.#pool.request({ method: 'POST', path: '/in', headers, body: message.body })
    await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** As large as an event of the journal is on its way. */
export function bareBody(id: string): string {
  const data = { id, ts: Date.now(), category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' }
  const rest = { resource: null, reason: null, ip: null, userAgent: null, requestId: null, metadata: {} }
  return JSON.stringify({ type: data.action, timestamp: new Date(data.ts).toISOString(), data: { ...data, ...rest } })
}
