/**
 * One effect per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): a repeated request gets the answer of the first,
 * one that comes meanwhile 409, another request under the same key 422. Answers that
 * say "try again" free the key. A key belongs to its caller: two callers may
 * use the same text, and one without an identity has no keys and passes.
 */

import { hash } from 'node:crypto'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS } from 'svc-kernel'
import { openerOf, SecretBox } from 'svc-kernel/plugin'
import { IdempotencyInFlight, IdempotencyKeyInvalid, IdempotencyKeyMissing, IdempotencyMismatch } from '../errors.ts'
import { readableError } from '../journal/audit-writer.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { IdempotencyStore, IdempotentAnswer } from './idempotency-store.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** 1 to 255 printable characters. */
const FORM = /^[\x21-\x7e]{1,255}$/

/** Where a request keeps the key it holds; declared by the plugin. */
export const idempotencySlot = Symbol('svc.idempotency')

interface HeldKey {
  readonly id: string
  readonly owner: string
  readonly caller: string
  readonly key: string
}

interface GatedRequest extends FastifyRequest {
  [idempotencySlot]?: HeldKey | null
}

/** Answers after which the same request may go otherwise. */
const FREES = new Set([408, 409, 425, 429])

/** Headers that belong to an answer; cookies and the like belong to one exchange. */
const KEPT_HEADERS = ['content-type', 'location', 'cache-control']

export class IdempotencyGate {
  readonly #store: IdempotencyStore
  readonly #ttlMs: number
  readonly #log: FastifyBaseLogger

  constructor(store: IdempotencyStore, ttlMs: number, log: FastifyBaseLogger) {
    this.#store = store
    this.#ttlMs = ttlMs
    this.#log = log
  }

  /**
   * Before the handler. @returns the kept answer of the first request, or `null` where this one is the first
   *
   * @throws IdempotencyKeyMissing (400, over a WebSocket only), IdempotencyKeyInvalid (400), IdempotencyInFlight (409), IdempotencyMismatch (422)
   */
  async enter(request: FastifyRequest): Promise<IdempotentAnswer | null> {
    const key = request.headers[IDEMPOTENCY_HEADER]
    if (request.user === null || request.user === ANONYMOUS) return null
    if (key === undefined) {
      // Over a socket a lost answer is the rule: who reconnects must be able to ask again.
      if (openerOf(request) !== null) throw new IdempotencyKeyMissing()
      return null
    }
    if (!isIdempotencyKey(key)) throw new IdempotencyKeyInvalid()
    const caller = request.user.identifier
    const id = keyId(caller, key)
    const opening = await orUnavailable(() => this.#store.begin(id, fingerprintOf(request), this.#ttlMs))
    if (opening.state === 'in-flight') throw new IdempotencyInFlight()
    if (opening.state === 'mismatch') throw new IdempotencyMismatch()
    if (opening.state === 'completed') return openAnswer(opening.answer, caller, key)
    ;(request as GatedRequest)[idempotencySlot] = { id, owner: opening.owner, caller, key }
    return null
  }

  /** With the answer. A store that does not take it costs the repetition, not the answer. */
  async leave(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const held = (request as GatedRequest)[idempotencySlot] ?? null
    if (held === null) return
    ;(request as GatedRequest)[idempotencySlot] = null
    const answer = answerOf(reply, payload)
    try {
      if (answer === null) await this.#store.abandon(held.id, held.owner)
      else await this.#store.complete(held.id, held.owner, sealAnswer(answer, held.caller, held.key))
    } catch (error) {
      this.#log.error(
        { error: readableError(error) },
        'the answer to a request with an Idempotency-Key could not be stored'
      )
    }
  }
}

function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value)
}

/** Under which a key is stored. */
function keyId(caller: string, key: string): string {
  return hash('sha256', JSON.stringify([caller, key]), 'base64url')
}

/** Two requests of one fingerprint ask for the same thing. */
function fingerprintOf({ method, routeOptions, params, query, body }: FastifyRequest): string {
  const compared = [method, routeOptions.url ?? '', params ?? null, query ?? null, body ?? null]
  return hash('sha256', JSON.stringify(compared), 'base64url')
}

/** @returns `null` for an answer that is not repeated: a failure of ours, a request to come back, a stream */
function answerOf(reply: FastifyReply, payload: unknown): IdempotentAnswer | null {
  const { statusCode: status } = reply
  if (status >= 500 || FREES.has(status)) return null
  const body = payload === null || payload === undefined ? '' : payload
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return null
  const headers: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return { status, headers, body: body.toString() }
}

/** Part of the derivation; never changes. */
const CONTEXT = 'svc-security/idempotency'

/**
 * An answer may hold a secret that is shown once, so each is encrypted at rest under a key made from the caller's own
 * idempotency key, of which the store has only a hash: who reads the store cannot read the answers.
 */
export function sealAnswer(answer: IdempotentAnswer, caller: string, key: string): IdempotentAnswer {
  return { ...answer, body: boxOf(caller, key).seal(answer.body) }
}

/** @throws InvalidSecretBox for what was sealed by another caller or under another key */
export function openAnswer(answer: IdempotentAnswer, caller: string, key: string): IdempotentAnswer {
  return { ...answer, body: boxOf(caller, key).open(answer.body) }
}

function boxOf(caller: string, key: string): SecretBox {
  // Another text than the one whose hash names the record.
  return new SecretBox(hash('sha256', JSON.stringify([CONTEXT, caller, key]), 'buffer'), CONTEXT)
}
