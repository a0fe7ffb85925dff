/**
 * The scopes of the caller, such as an organisation: entered by `with` for some work, or read of the current
 * request. What was entered around a request does not reach into it, as a request speaks for itself. Without a value
 * there is none, and a scoped table then refuses.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { type ContextCarrier, operationOf } from 'svc-kernel/plugin'
import { hasOnlyStorableText } from 'svc-stores/table'
import { NoScope, OtherScope } from '../errors.ts'

/** By the name of the scope: its value for a request, `null` where the request has none. Not asynchronous. */
export type ScopeReaders = Readonly<Record<string, (request: FastifyRequest) => string | null>>

/** Values by the name of their scope. */
export type ScopeValues = Readonly<Record<string, string>>

interface Entered {
  readonly values: ReadonlyMap<string, string>
  /** Scopes without a value here see all rows. */
  readonly across: boolean
  /** In which it was entered; `null`: holds in any; `OF_JOB`: in a job, and in the request by which it runs. */
  readonly request: FastifyRequest | undefined | null | typeof OF_JOB
}

const OF_JOB = Symbol('of a job')

const NO_VALUES: ReadonlyMap<string, string> = new Map()
const STORABLE = 'its value must be text that a database can hold, and not empty'

export class CallerScopes implements ContextCarrier<ScopeValues> {
  readonly #readers: ScopeReaders
  readonly #entered = new AsyncLocalStorage<Entered>()
  /** What a request answered, read once. */
  readonly #read = new WeakMap<FastifyRequest, Map<string, string>>()

  constructor(readers: ScopeReaders = {}) {
    this.#readers = readers
  }

  /** Whether the work runs across all scopes, and entered none since. */
  get isAcross(): boolean {
    const entered = this.#here()
    return entered?.across === true && entered.values.size === 0
  }

  /** @returns `true`: the rows of all scopes, `false`: of none @param of what asks, for messages */
  seen(name: string, of: string): string | boolean {
    const entered = this.#here()
    const value = entered?.values.get(name)
    if (value !== undefined) return value
    if (entered?.across === true) return true
    const request = entered?.request === null ? undefined : currentRequest()
    return request === undefined ? false : (this.#ofRequest(request, name, of) ?? false)
  }

  /** @returns `null`: across scopes @param of what asks, for the message @throws NoScope */
  value(name: string, of: string): string | null {
    const seen = this.seen(name, of)
    if (seen !== false) return seen === true ? null : seen
    throw new NoScope(of, name, `run it in orm.withScope({ ${name}: id }, work), or set parts.scopes.${name}`)
  }

  /** @throws NoScope for a value that is not text, OtherScope for a second one */
  with<T>(given: ScopeValues, work: () => T): T {
    const around = this.#here()
    const values = new Map(around?.values)
    for (const [name, value] of Object.entries(given)) {
      if (!isScopeValue(value)) throw new NoScope('withScope', name, STORABLE)
      const standing = this.seen(name, 'withScope')
      if (typeof standing === 'string' && standing !== value) throw new OtherScope(name)
      values.set(name, value)
    }
    return this.#enter({ values, across: around?.across ?? false, request: currentRequest() }, work)
  }

  across<T>(work: () => T): T {
    return this.#enter({ values: NO_VALUES, across: true, request: currentRequest() }, work)
  }

  /** The scopes of now, for work that goes on in the context of others. @param names those that it may need */
  held(names: Iterable<string>): <T>(work: () => T) => T {
    const around = this.#here()
    const values = new Map<string, string>()
    for (const name of names) {
      const value = this.seen(name, 'a stream')
      if (typeof value === 'string') values.set(name, value)
    }
    const entered: Entered = { values, across: around?.across ?? false, request: null }
    return (work) => this.#enter(entered, work)
  }

  /** The scopes of now, for a job: those that the work entered, and those that the request has. */
  take(): ScopeValues | undefined {
    const names = new Set([...(this.#here()?.values.keys() ?? []), ...Object.keys(this.#readers)])
    const values = [...names].flatMap((name) => {
      const value = this.seen(name, 'a job')
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    return values.length === 0 ? undefined : Object.fromEntries(values)
  }

  /** Within what `take` took. */
  enter<T>(values: ScopeValues, work: () => T): T {
    return this.#enter({ values: new Map(Object.entries(values)), across: false, request: OF_JOB }, work)
  }

  #enter<T>(entered: Entered, work: () => T): T {
    return this.#entered.run(entered, work)
  }

  #here(): Entered | undefined {
    const entered = this.#entered.getStore()
    if (entered === undefined || entered.request === null) return entered
    const request = currentRequest()
    if (entered.request === request) return entered
    const ofJob = entered.request === OF_JOB && (request === undefined || operationOf(request) !== null)
    return ofJob ? entered : undefined
  }

  #ofRequest(request: FastifyRequest, name: string, of: string): string | null {
    const known = this.#read.get(request)
    const before = known?.get(name)
    if (before !== undefined) return before
    const value = Object.hasOwn(this.#readers, name) ? (this.#readers[name]?.(request) ?? null) : null
    // What is not there yet may be there once the caller is known.
    if (value === null) return null
    if (!isScopeValue(value)) throw new NoScope(of, name, STORABLE)
    // The one request of a WebSocket lasts as long as the socket, and each of its frames asks again.
    if (request.headers.upgrade !== undefined) return value
    if (known === undefined) this.#read.set(request, new Map([[name, value]]))
    else known.set(name, value)
    return value
  }
}

function isScopeValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && hasOnlyStorableText(value)
}
