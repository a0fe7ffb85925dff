/** A message as the receiver keeps it, cut to its bounds. */
export interface ReceivedMessage {
  /** Epoch ms. */
  readonly at: number
  /** `sink`, `status` or `slow`. */
  readonly route: string
  /** `webhook-id`; `null` where it is missing. */
  readonly id: string | null
  /** The event, as the body says; `null` where it says none. */
  readonly type: string | null
  /** `null` where no secret was given. */
  readonly verified: boolean | null
  /** Why it is not; `null` where it is. */
  readonly reason: string | null
  /** The same id came before. */
  readonly repeat: boolean
  /** What was answered. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** At most 16 KB. */
  readonly body: string
}

const MAX_BODY = 16_384
const MAX_HEADER = 1024

const KEPT_HEADERS = [
  'content-type',
  'user-agent',
  'traceparent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature'
]

/** The headers of a message that are worth showing. */
export function shownHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = given[name]
    if (typeof value === 'string') shown[name] = value.slice(0, MAX_HEADER)
  }
  return shown
}

/** The body as text, cut to its bound. */
export function shownBody(body: Buffer): string {
  return body.subarray(0, MAX_BODY).toString('utf8')
}

/** The `type` of a message. */
export function typeOf(body: Buffer): string | null {
  try {
    const { type } = (JSON.parse(body.toString('utf8')) ?? {}) as { type?: unknown }
    return typeof type === 'string' ? type.slice(0, 200) : null
  } catch {
    return null
  }
}
