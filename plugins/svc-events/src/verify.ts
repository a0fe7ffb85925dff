/**
 * `svc-events/verify`: for receivers of events, without dependencies, wherever there is Web Crypto. It checks the signature
 * of Standard Webhooks, version 1, as svc-webhooks makes it, and the age of the message.
 */
import type { EventDefinitions, EventsOf } from './definitions/define-events.ts'

/** A message that was verified, with its data by the type of the event. */
export type VerifiedEvent<Definitions extends EventDefinitions> =
  | {
      readonly [Name in keyof Definitions & string]: VerifiedMessage<Name, EventsOf<Definitions>[Name]>
    }[keyof Definitions & string]
  | VerifiedMessage<'webhook.test', unknown>

/** The body of a message. */
export interface VerifiedMessage<Type extends string, Data> {
  /** `webhook-id`: the same on every attempt. Process each once. */
  readonly id: string
  /** When the event happened, ISO 8601. */
  readonly timestamp: string
  readonly type: Type
  /** Id of the event, the same for all receivers. Absent from a test message. */
  readonly event?: string
  /** Of the data. Absent from a test message. */
  readonly version?: number
  readonly data: Data
}

/** Headers of a request: the `Headers` of the web, or those of a Node request. */
export type EventHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as it came: its body is text or bytes, before any parser, or read by `text()`. */
export type ReceivedEvent =
  | { readonly headers: EventHeaders; readonly body: string | Uint8Array }
  | { readonly headers: EventHeaders; text(): Promise<string> }

/** How a message is verified. */
export interface VerifyOptions {
  /** Allowed age, past or future, in seconds. Default 300. */
  readonly toleranceS?: number
  /** Epoch ms. Default: the clock of the system. */
  readonly now?: () => number
}

/**
 * Why a message is refused; `status` is what to answer. The text holds neither signature nor secret.
 *
 * - `headers` (400): a header is missing or malformed
 * - `stale` (400): too old, or from the future
 * - `signature` (401): no signature matches
 * - `body` (400): signed, and no message of an event
 */
export class EventVerificationError extends Error {
  readonly reason: 'headers' | 'stale' | 'signature' | 'body'
  readonly status: 400 | 401

  constructor(reason: EventVerificationError['reason'], message: string) {
    super(message)
    this.name = 'EventVerificationError'
    this.reason = reason
    this.status = reason === 'signature' ? 401 : 400
  }
}

const ID = /^[^\s.]{1,256}$/
const TIMESTAMP = /^\d{1,12}$/
const SECRET = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/**
 * Verifies a message and returns it with its type: `verifyEvent<typeof events>(request, secret)`.
 *
 * @param secret `whsec_...`; a list while you change it: one match is enough
 * @throws EventVerificationError, TypeError for a secret that is none and for a parsed body
 */
export async function verifyEvent<Definitions extends EventDefinitions>(
  request: ReceivedEvent,
  secret: string | readonly string[],
  { toleranceS = 300, now = Date.now }: VerifyOptions = {}
): Promise<VerifiedEvent<Definitions>> {
  const keys = [secret].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('verifyEvent needs a secret')
  const id = headerOf(request.headers, 'webhook-id', ID)
  const timestamp = headerOf(request.headers, 'webhook-timestamp', TIMESTAMP)
  const signatures = headerOf(request.headers, 'webhook-signature', /^\S/).split(' ')
  const age = Math.floor(now() / 1000) - Number(timestamp)
  if (!(Math.abs(age) <= toleranceS)) throw new EventVerificationError('stale', `the message is ${age} s old`)
  const body = await bodyOf(request)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  if (!(await matches(keys, signatures, signed))) throw new EventVerificationError('signature', 'no signature matches')
  return messageOf(body, id) as VerifiedEvent<Definitions>
}

/** The range of Standard Webhooks. */
const LEAST_BYTES = 24
const MOST_BYTES = 64
const NO_SECRET = 'the secret is not whsec_ and the base64 of 24 to 64 bytes'

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** @throws TypeError */
function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? SECRET.exec(secret)?.[1] : undefined
  const key = text === undefined ? new Uint8Array() : bytesOf(text)
  if (key.length < LEAST_BYTES || key.length > MOST_BYTES) throw new TypeError(NO_SECRET)
  return key
}

function headerOf(headers: EventHeaders, name: string, form: RegExp): string {
  const value = hasGet(headers) ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || !form.test(value)) {
    throw new EventVerificationError('headers', `${name} is missing or malformed`)
  }
  return value
}

function hasGet(headers: EventHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

async function bodyOf(request: ReceivedEvent): Promise<Uint8Array> {
  const body: unknown = 'text' in request ? await request.text() : request.body
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('verifyEvent needs the raw body: a string or bytes, not the parsed value')
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/** Web Crypto compares in constant time. */
async function matches(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>
): Promise<boolean> {
  const presented = signatures
    .filter((part) => part.startsWith('v1,') && SECRET.test(part.slice(3)))
    .map((part) => bytesOf(part.slice(3)))
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of presented) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** The id is part of what is signed, so that no message is taken for another one. */
function messageOf(body: Uint8Array, id: string): object {
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Below.
  }
  const { id: named, type } = (message ?? {}) as { readonly id?: unknown; readonly type?: unknown }
  if (named !== id || typeof type !== 'string')
    throw new EventVerificationError('body', 'the body is no message of an event')
  return message as object
}
