/** The three headers of a message, from Node's header objects or a web `Headers`. Names are compared without case. */
import { WebhookVerificationError } from './verification-error.ts'

/** `headers` or `headersDistinct` of a request of Node, or anything with `get` as the web's `Headers`. */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }

export interface MessageHeaders {
  readonly id: string
  /** Epoch seconds. */
  readonly timestamp: number
  /** One or several, separated by a space. */
  readonly signatures: string
}

/** Far beyond any date, and exact as a number. */
const TIMESTAMP = /^\d{1,12}$/

/** The full stop separates the parts that are signed: an id that holds one could be read as id and timestamp. */
const ID = /^[^\s.]{1,256}$/

/** @throws WebhookVerificationError 400 when one is missing, given twice or not of its form */
export function readMessageHeaders(headers: ReceivedHeaders): MessageHeaders {
  const read = reader(headers)
  const id = read('webhook-id')
  const timestamp = read('webhook-timestamp')
  const signatures = read('webhook-signature', ' ')
  if (!ID.test(id)) throw new WebhookVerificationError('headers', 'webhook-id is malformed')
  if (!TIMESTAMP.test(timestamp)) throw new WebhookVerificationError('headers', 'webhook-timestamp is malformed')
  return { id, timestamp: Number(timestamp), signatures }
}

/** @returns reads one header. `separator` joins a header that may be given several times; others may not */
function reader(headers: ReceivedHeaders): (name: string, separator?: string) => string {
  return (name, separator) => {
    const given = isWebHeaders(headers) ? headers.get(name) : fieldOf(headers, name)
    const joined = Array.isArray(given) && (given.length === 1 || separator !== undefined)
    const value: unknown = joined ? given.join(separator) : given
    if (typeof value === 'string' && value !== '') return value
    const finding = Array.isArray(value) ? 'is given more than once' : 'is missing'
    throw new WebhookVerificationError('headers', `${name} ${finding}`)
  }
}

function isWebHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function fieldOf(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  if (headers[name] !== undefined) return headers[name]
  const spelt = Object.keys(headers).find((key) => key.toLowerCase() === name)
  return spelt === undefined ? undefined : headers[spelt]
}
