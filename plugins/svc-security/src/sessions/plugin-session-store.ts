/**
 * The store behind @fastify/session. What the plugin calls a session id is our reference, the SHA-256 of the cookie's
 * value. A write keeps content and messages, never the user, which is a login's; it creates what is new and nothing
 * else, so that no write brings a destroyed session back.
 */
import { callbackify } from 'node:util'
import type { FastifySessionOptions, SessionStore as PluginStore } from '@fastify/session'
import { currentRequest } from 'svc-kernel'
import type { JsonObject } from 'svc-stores'
import { SessionUnread } from '../errors.ts'
import { type HeldSession, noSession, type RequestSession } from './held-session.ts'
import { isReservedKey, refuseReservedKeys } from './reserved-keys.ts'
import { newSessionId, sessionRef } from './session-cookie.ts'
import type { SessionService } from './session-service.ts'
import type { SessionRecord } from './session-store.ts'

/** What the plugin hands over: its type knows only the content. */
type Written = Parameters<PluginStore['set']>[1]

export class PluginSessionStore implements PluginStore {
  readonly #sessions: SessionService
  /** Of which session of a request a `request.session` is the view. */
  readonly #held = new WeakMap<object, HeldSession>()
  /** What the plugin is about to make a `request.session` of, which it does synchronously. */
  #making: { readonly id: string; readonly record: SessionRecord | null } | null = null

  constructor(sessions: SessionService) {
    this.#sessions = sessions
  }

  /** Nothing is signed: an id is 256 random bits, and only an id that was given out is found. */
  readonly options: Pick<FastifySessionOptions, 'idGenerator' | 'secret'> = {
    idGenerator: () => {
      const id = newSessionId()
      this.#making = { id, record: null }
      return sessionRef(id)
    },
    secret: {
      sign: () => {
        const id = this.#making?.id ?? ''
        this.#making = null
        return id
      },
      unsign: () => {
        const record = this.#making?.record ?? null
        return { valid: record !== null, renew: false, value: record?.id ?? null }
      }
    }
  }

  /** Has the plugin make the `request.session` of a session that was resumed, or of a visitor without one. */
  make(held: HeldSession, make: (id: string) => void): void {
    const { id, settled } = held
    this.#making = id === null || settled == null ? null : { id, record: settled }
    if (this.#making === null) held.id = null
    make(id ?? '')
  }

  /** Takes a session that the plugin made for a request, renewed or read again. @param held the session of the request */
  adopt(session: RequestSession, held: HeldSession): HeldSession {
    const own = this.#held.get(session) ?? held
    this.#held.set(session, own)
    own.view = session
    return own
  }

  get(ref: string, answer: (error: unknown, content?: Written | null) => void): void {
    const record = this.#making?.record ?? null
    if (record === null) this.#reload(ref, answer)
    else answer(null, contentOf(record))
  }

  readonly set = callbackify(async (_ref: string, session: Written): Promise<void> => {
    const held = this.#held.get(session) ?? this.adopt(session as RequestSession, noSession())
    if (held.unread === true) throw new SessionUnread()
    const { flash = {}, ...content } = JSON.parse(JSON.stringify({ ...session, cookie: undefined })) as JsonObject
    refuseReservedKeys(content)
    if (held.id === null) {
      await this.#sessions.begin(held, (session as RequestSession).encryptedSessionId || newSessionId(), {
        user: null,
        content,
        flash: flash as JsonObject
      })
      held.unsent = true
    } else {
      const hidden = Object.entries(held.settled?.content ?? {}).filter(([key]) => isReservedKey(key))
      await this.#sessions.save(held, {
        content: { ...Object.fromEntries(hidden), ...content },
        flash: flash as JsonObject
      })
    }
  })

  readonly destroy = callbackify(async (ref: string): Promise<void> => {
    const request = currentRequest()
    const record = request === undefined ? null : this.#sessions.resumed(request)
    if (request !== undefined && record?.id === ref) await this.#sessions.end(record, 'logout', request)
    else await this.#sessions.revoke(ref, request)
  })

  readonly #reload = callbackify(async (ref: string): Promise<Written | null> => {
    const request = currentRequest()
    const record = await this.#sessions.again(ref, true, request)
    const held = request === undefined ? null : this.#sessions.held(request)
    if (held?.settled?.id === ref) held.settled = record
    return record === null ? null : contentOf(record)
  })
}

function contentOf({ content, flash }: SessionRecord): Written {
  const shown = Object.entries(content).filter(([key]) => !isReservedKey(key))
  // @fastify/flash keeps a list for each kind; `sessions.flash` keeps one message.
  const messages = Object.entries(flash).map(([kind, message]) => [kind, Array.isArray(message) ? message : [message]])
  if (messages.length > 0) shown.push(['flash', Object.fromEntries(messages)])
  return Object.fromEntries(shown) as unknown as Written
}
