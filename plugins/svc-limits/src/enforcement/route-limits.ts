/**
 * Decides on the limits of routes and controller methods, for requests and for messages of WebSockets alike: both spend
 * the budgets of their operation. Refusals say when to come back, and are recorded once per key and period.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Clock,
  decoratorOf,
  LimitExceeded,
  LimitUnavailable,
  type MaybePromise,
  type Problem,
  type RateLimit
} from 'svc-kernel'
import { andThen, type LimitEngine, type LimitedOperation } from 'svc-kernel/plugin'
import { seconds, waitFor } from '../limit/gcra.ts'
import { declarationProblems, defaultName, isProblem, type Limit, readLimit } from '../limit/limit.ts'
import type { Charge, Limiter, State, Taking } from '../limiter/limiter.ts'
import type { Limits } from '../limiter/limits.ts'
import { BoundedTimes } from '../storage/memory-limits-store.ts'
import { callerOf } from './caller-of.ts'
import type { OpenSockets } from './open-sockets.ts'
import { type FieldTexts, fieldTexts, rateLimitItem } from './rate-limit-fields.ts'

/** A limit of an operation. */
export interface Counted {
  readonly limit: Limit
  readonly by: RateLimit['by']
}

/** The limits of an operation, by the moment at which they are decided. */
interface OperationLimits {
  readonly arriving: readonly Counted[]
  readonly admitted: readonly Counted[]
  readonly all: readonly Counted[]
  /** Of `RateLimit-Policy`. */
  readonly policy: string
}

export interface RouteLimitsParts {
  readonly fastify: FastifyInstance
  readonly limits: Limits
  readonly limiter: Limiter
  readonly clock: Clock
  readonly onOutage: Limit['onOutage']
  readonly sockets: OpenSockets
}

export class RouteLimits implements LimitEngine {
  readonly #parts: RouteLimitsParts
  readonly #byOperation = new Map<LimitedOperation, OperationLimits>()
  readonly #texts = new Map<Limit, FieldTexts>()
  /** By key of a limit: until when its refusal needs no further record, epoch microseconds. */
  readonly #recorded = new BoundedTimes()

  constructor(parts: RouteLimitsParts) {
    this.#parts = parts
  }

  /** Reads the limits of operations. @returns the mistakes in them */
  add(operations: readonly LimitedOperation[]): Problem[] {
    return operations.flatMap((operation) => {
      const counted = operation.limits.map((limit) => this.#read(operation, limit))
      const problems = counted.flatMap((each) => ('problems' in each ? each.problems : []))
      if (problems.length === 0) this.#keep(operation, counted as Counted[])
      return problems
    })
  }

  /** Every operation with its limits. */
  *[Symbol.iterator](): Generator<readonly [operation: LimitedOperation, counted: readonly Counted[]]> {
    for (const [operation, { all }] of this.#byOperation) yield [operation, all]
  }

  arrive(operation: LimitedOperation, request: FastifyRequest, reply: FastifyReply): MaybePromise<Error | null> {
    const known = this.#limitsOf(operation)
    return known === null ? new LimitUnavailable() : this.#decide(known.arriving, known, request, reply)
  }

  admit(operation: LimitedOperation, request: FastifyRequest, reply: FastifyReply): MaybePromise<Error | null> {
    const known = this.#limitsOf(operation)
    return known === null ? new LimitUnavailable() : this.#decide(known.admitted, known, request, reply)
  }

  message(operation: LimitedOperation, request: FastifyRequest): MaybePromise<Error | null> {
    const known = this.#limitsOf(operation)
    return known === null ? new LimitUnavailable() : this.#decide(known.all, known, request, null)
  }

  socket(request: FastifyRequest, reply: FastifyReply): Error | null {
    return this.#parts.sockets.take(request, reply)
  }

  /** One that was declared before the first svc plugin is read with its first request. */
  #limitsOf(operation: LimitedOperation): OperationLimits | null {
    const known = this.#byOperation.get(operation)
    if (known !== undefined) return known
    this.add([operation])
    return this.#byOperation.get(operation) ?? null
  }

  #decide(
    counted: readonly Counted[],
    { policy }: OperationLimits,
    request: FastifyRequest,
    reply: FastifyReply | null
  ): MaybePromise<Error | null> {
    let charges: readonly Charge[]
    try {
      charges = counted.map(({ limit, by }) => ({ limit, caller: callerOf(by, limit.name, request), cost: 1 }))
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
    return andThen(this.#parts.limiter.take(charges), (taking) => {
      if (reply !== null) this.#tell(reply, policy, taking.states)
      return taking.verdict === 'taken' ? null : this.#refuse(taking, charges, request, reply)
    })
  }

  #tell(reply: FastifyReply, policy: string, states: readonly State[]): void {
    reply.header('ratelimit-policy', policy)
    if (states.length === 0) return
    const before = reply.getHeader('ratelimit')
    const items = states.map((state) => rateLimitItem(this.#textsOf(state.limit), state))
    reply.header('ratelimit', [...(before === undefined ? [] : [before]), ...items].join(', '))
  }

  #refuse(taking: Taking, charges: readonly Charge[], request: FastifyRequest, reply: FastifyReply | null): Error {
    // RFC 6585, 4: no cache keeps a 429.
    reply?.header('cache-control', 'no-store')
    if (taking.verdict === 'unavailable') return Object.assign(new LimitUnavailable(), { announced: true })
    const waits = taking.states.map(({ limit, aheadUs }) => waitFor(aheadUs, limit, 1))
    const retryAfter = String(Math.max(1, seconds(Math.max(...waits))))
    reply?.header('retry-after', retryAfter)
    for (const { limit } of taking.states) {
      const charge = charges.find((each) => each.limit === limit)
      if (charge !== undefined) this.#record(charge, request)
    }
    return new LimitExceeded(retryAfter)
  }

  #record({ limit: { name, rate }, caller }: Charge, request: FastifyRequest): void {
    const audit = decoratorOf(this.#parts.fastify, 'audit')
    if (audit === null) return
    const key = `${name}\n${caller}`
    const now = this.#parts.clock.now() * 1000
    const window = rate.perS * 1_000_000
    const until = this.#recorded.get(key) ?? 0
    // A clock that was set back does not silence the journal.
    if (until > now && until <= now + window) return
    this.#recorded.set(key, now + window)
    audit.record({
      category: 'authz',
      action: 'limit.exceeded',
      outcome: 'denied',
      actor: request.user?.identifier ?? null,
      resource: name,
      reason: 'SVC_LIMIT_EXCEEDED',
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      requestId: request.id,
      metadata: { caller, rate: `${rate.count}/${rate.perS}s` }
    })
  }

  #read(operation: LimitedOperation, declared: RateLimit): Counted | { readonly problems: Problem[] } {
    const place = { label: operation.name, at: operation.source ?? undefined }
    const problems = declarationProblems(declared, place)
    if (problems.length > 0) return { problems }
    const read = readLimit(declared.name ?? '', declared, place, this.#parts.onOutage)
    if (isProblem(read)) return { problems: [read] }
    const name = declared.name ?? defaultName(operation.name, declared, read)
    const limit = this.#parts.limits.add({ ...read, name })
    if (isSame(limit, read)) return { limit, by: declared.by }
    const { rate, burst } = limit
    return {
      problems: [
        {
          code: 'SVC_LIMIT_NAME',
          message: `the limit "${name}" of ${operation.name} differs from another limit of this name`,
          at: place.at,
          got: `${read.rate.count}/${read.rate.perS}s, burst ${read.burst}`,
          expected: `${rate.count}/${rate.perS}s, burst ${burst}`,
          fix: 'give both the same rate, burst and onOutage, or one another name'
        }
      ]
    }
  }

  #keep(operation: LimitedOperation, all: readonly Counted[]): void {
    const policy = [...new Set(all.map(({ limit }) => this.#textsOf(limit).policy))].join(', ')
    const arriving = all.filter(({ by }) => by === 'address')
    this.#byOperation.set(operation, { all, arriving, admitted: all.filter(({ by }) => by !== 'address'), policy })
  }

  #textsOf(limit: Limit): FieldTexts {
    const texts = this.#texts.get(limit) ?? fieldTexts(limit)
    this.#texts.set(limit, texts)
    return texts
  }
}

function isSame(one: Limit, other: Limit): boolean {
  const { rate, burst, onOutage } = other
  return (
    one.rate.count === rate.count && one.rate.perS === rate.perS && one.burst === burst && one.onOutage === onOutage
  )
}
