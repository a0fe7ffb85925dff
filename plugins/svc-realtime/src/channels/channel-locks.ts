/** Who may subscribe to a channel and who may publish: its name, its lock, and the gate that decides. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AccessDenied, type MaybePromise, type Problem, type Requirement } from 'svc-kernel'
import type { Clause } from 'svc-kernel/plugin'
import type { ChannelOption } from '../options.ts'
import { isOwnChannel, owns } from './own-channel.ts'

const NAME = /^[^\s*\p{Cc}]{1,255}$/u

/** Channels of the framework itself; only administrators hear them, and those of one user only that user. */
const RESERVED_PREFIX = 'svc:'

/** What instances ask of each other, beside the messages of channels: no socket hears it or publishes to it. */
export const ORDERS_CHANNEL = 'svc:orders'

export function isChannelName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}

/** One attribute, or several of which one suffices. */
export type ClauseOption = string | readonly string[]

/** A guard of a channel: clauses, `open` to everyone, or `closed` to every client. */
export type ChannelGuard = Requirement | 'open' | 'closed'

/** The name of the one parameter that a guard of a channel can have as its subject. */
const SUBJECT = 'rest'

/**
 * Who may subscribe to the channels of a pattern, and who may publish. Compiled from one entry of `channels`. The text
 * that `*` stands for is the subject of its guard, as a route parameter is on a route.
 */
export class ChannelLock {
  readonly pattern: string
  readonly subscribe: ChannelGuard
  readonly publish: ChannelGuard
  readonly #start: string
  readonly #exact: boolean

  constructor({ pattern, anonymous = false, requires = [], publish = false }: ChannelOption) {
    this.pattern = pattern
    this.#exact = !pattern.endsWith('*')
    this.#start = this.#exact ? pattern : pattern.slice(0, -1)
    const guard = requires.map((clause) => this.#clause(clause))
    this.subscribe = anonymous ? 'open' : guard
    if (publish === false) this.publish = 'closed'
    else if (publish === true) this.publish = this.subscribe
    else this.publish = [...guard, ...publish.map((clause) => this.#clause(clause))]
  }

  /** The text that `*` stands for, empty for an exact pattern; `null` when the name does not match. */
  restOf(name: string): string | null {
    if (this.#exact) return name === this.#start ? '' : null
    return name.startsWith(this.#start) ? name.slice(this.#start.length) : null
  }

  #clause(option: ClauseOption): Clause {
    return [option].flat().map((attribute) => (this.#exact ? { attribute } : { attribute, subject: SUBJECT }))
  }
}

/** Problems of entries that contradict themselves, or that another one hides. */
export function channelProblems(options: readonly ChannelOption[]): Problem[] {
  return options.flatMap((option, index) => {
    const at = `svc-realtime.channels[${index}]`
    const twin = options.findIndex(({ pattern }) => pattern === option.pattern)
    const hidden = twin < index ? [problem(at, `channels[${twin}] has the pattern "${option.pattern}" already`)] : []
    const locked = option.requires !== undefined
    if ((option.anonymous === true) === locked) {
      const message = locked
        ? 'anonymous and requires contradict each other'
        : 'the channel has neither requires nor anonymous'
      return [...hidden, problem(at, message, 'set either requires, or anonymous: true')]
    }
    return hidden
  })
}

function problem(at: string, message: string, fix = 'remove one of them'): Problem {
  return { code: 'SVC_REALTIME_LOCK', message, at, fix, more: 'npx svc docs realtime' }
}

export type ChannelAction = 'subscribe' | 'publish'

export interface HeldChannel {
  readonly guard: ChannelGuard
  /** The text that the pattern's `*` stands for. */
  readonly rest: string
}

const ADMIN: Clause = Object.freeze([Object.freeze({ attribute: 'ROLE_SVC_ADMIN' })])
const CLOSED: HeldChannel = Object.freeze({ guard: 'closed', rest: '' })

/**
 * All locks, in order of declaration; the first that matches holds. A channel that none matches is closed. `svc:` channels
 * need ROLE_SVC_ADMIN whatever the locks say.
 */
export class ChannelLocks {
  readonly #locks: readonly ChannelLock[]

  constructor(options: readonly ChannelOption[]) {
    this.#locks = options.map((option) => new ChannelLock(option))
  }

  /** Each lock, as it counts. */
  get all(): readonly Pick<ChannelLock, 'pattern' | ChannelAction>[] {
    return this.#locks.map(({ pattern, subscribe, publish }) =>
      pattern.startsWith(RESERVED_PREFIX)
        ? { pattern, subscribe: forAdmins(subscribe), publish: forAdmins(publish) }
        : { pattern, subscribe, publish }
    )
  }

  guardOf(name: string, action: ChannelAction): HeldChannel {
    if (name === ORDERS_CHANNEL) return CLOSED
    const reserved = name.startsWith(RESERVED_PREFIX)
    for (const lock of this.#locks) {
      const rest = lock.restOf(name)
      if (rest !== null) return { guard: reserved ? forAdmins(lock[action]) : lock[action], rest }
    }
    return reserved && action === 'subscribe' ? { guard: [ADMIN], rest: '' } : CLOSED
  }
}

function forAdmins(guard: ChannelGuard): ChannelGuard {
  if (guard === 'closed') return 'closed'
  return guard === 'open' ? [ADMIN] : [ADMIN, ...guard]
}

/** Puts the lock of a channel before the access gate: the jury that decides for routes decides for channels. */
export class ChannelGate {
  readonly #fastify: FastifyInstance
  readonly #locks: ChannelLocks

  constructor(fastify: FastifyInstance, locks: ChannelLocks) {
    this.#fastify = fastify
    this.#locks = locks
  }

  /**
   * Never throws, never rejects.
   *
   * @param request the upgrade request of the socket
   * @returns `null` where the lock admits; an error that says what to prove where the proof of the caller does not suffice
   */
  refusal(request: FastifyRequest, channel: string, action: ChannelAction): MaybePromise<Error | null> {
    if (isOwnChannel(channel)) return action === 'subscribe' && owns(request.user, channel) ? null : new AccessDenied()
    const { guard, rest } = this.#locks.guardOf(channel, action)
    if (guard === 'open') return null
    if (guard === 'closed') return new AccessDenied()
    // The subject of a guard is a route parameter by name; here the channel has the only one.
    const asked = Object.create(request, { params: { value: { [SUBJECT]: rest } } }) as FastifyRequest
    return this.#fastify.accessGate.refusal(request.token, guard, asked)
  }
}
