/**
 * What decorators leave on a class: facts as they were written, checked only when the class is compiled. They are kept
 * under one symbol of the class itself, shared by name, so that two copies of this package read the same class alike.
 */
import type { JobSettings, RateLimit, ScheduleSettings } from 'svc-kernel'
import type { RouteSettings } from './route-settings.ts'

/** How a decorator was written, and where. */
export interface Written {
  /** As shown in messages: `@IsGranted('ROLE_USER')`. */
  readonly decorator: string
  /** `file:line`; `null` where the stack has no place. */
  readonly source: string | null
}

export interface MarkDeclaration extends Written {}

export interface ControllerDeclaration extends Written {
  readonly prefix: unknown
}

export interface RouteDeclaration extends Written {
  readonly name: string | undefined
  readonly methods: readonly unknown[]
  readonly path: unknown
  readonly settings: RouteSettings
}

export interface GuardDeclaration extends Written {
  readonly kind: 'attribute' | 'scope' | 'proof'
  readonly attributes: readonly unknown[]
  readonly options: { readonly subject?: unknown }
}

export interface LimitDeclaration extends Written {
  readonly limit: RateLimit
}

/** `@Job` on a method. */
export interface JobDeclaration extends Written {
  readonly name: unknown
  readonly settings: JobSettings<never> & { readonly body?: unknown }
}

/** `@Cron` on a method. */
export interface ScheduleDeclaration extends Written {
  readonly cron: string
  readonly settings: ScheduleSettings & { readonly name?: string }
}

export type ParameterKind = 'user' | 'body' | 'query' | 'param' | 'headers' | 'message' | 'context'

export interface ParameterDeclaration extends Written {
  readonly kind: ParameterKind
  readonly name: string | undefined
  /** `@Body({stream: true})` */
  readonly stream: boolean
  /** `@Message({binary: true})` */
  readonly binary: boolean
}

export interface MethodDeclarations {
  readonly routes: RouteDeclaration[]
  readonly jobs: JobDeclaration[]
  readonly schedules: ScheduleDeclaration[]
  readonly guards: GuardDeclaration[]
  readonly limits: LimitDeclaration[]
  anonymous: MarkDeclaration | null
  bypassFirewall: MarkDeclaration | null
  readonly parameters: Map<number, ParameterDeclaration>
}

/** A decorator where none can work: on a static method, or on a constructor parameter. */
export interface MisplacedDeclaration extends Written {
  readonly place: string
}

export interface ClassDeclarations {
  controller: ControllerDeclaration | null
  readonly guards: GuardDeclaration[]
  readonly limits: LimitDeclaration[]
  anonymous: MarkDeclaration | null
  bypassFirewall: MarkDeclaration | null
  readonly methods: Map<string | symbol, MethodDeclarations>
  readonly misplaced: MisplacedDeclaration[]
}

const key = Symbol.for('svc.declarations')

/** A class whose methods have route decorators. Its constructor gets the Fastify instance. */
// biome-ignore lint/suspicious/noExplicitAny: a controller's constructor takes what it likes
export type ControllerClass = new (...args: any[]) => object

interface Declared {
  [key]?: ClassDeclarations
}

/** The class's own declarations, without those of its bases; `null` when no decorator touched it. */
export function ownDeclarations(target: object): ClassDeclarations | null {
  return Object.hasOwn(target, key) ? ((target as Declared)[key] ?? null) : null
}

/** The class's own declarations, made when it has none yet. */
export function declarationsOf(target: object): ClassDeclarations {
  const found = ownDeclarations(target)
  if (found !== null) return found
  const made: ClassDeclarations = {
    controller: null,
    guards: [],
    limits: [],
    anonymous: null,
    bypassFirewall: null,
    methods: new Map(),
    misplaced: []
  }
  Object.defineProperty(target, key, { value: made })
  return made
}

export function methodDeclarationsOf(prototype: object, name: string | symbol): MethodDeclarations {
  const { methods } = declarationsOf(prototype.constructor)
  let found = methods.get(name)
  if (found === undefined) {
    found = {
      routes: [],
      jobs: [],
      schedules: [],
      guards: [],
      limits: [],
      anonymous: null,
      bypassFirewall: null,
      parameters: new Map()
    }
    methods.set(name, found)
  }
  return found
}
