/**
 * The errors that a route may answer, for the description of the API. A route lists those of its handler in
 * `schema.errors`; a hook that refuses carries its own, so that each route with the hook has them.
 */
import type { RouteOptions } from 'fastify'

/** An error as the description needs it: a class of `expectedError`, an error object, or plain data. */
export interface RouteError {
  readonly code: string
  /** 400 to 599; 500 if absent. */
  readonly statusCode?: number
}

declare module 'fastify' {
  interface FastifySchema {
    /** Errors that the handler answers, for the description of the API. */
    errors?: readonly RouteError[]
  }
}

/** On a hook. */
const errorsOfHook = Symbol.for('svc.errors')

interface Marked {
  readonly [errorsOfHook]?: readonly RouteError[]
}

/** The same hook, which says what it refuses with. A hook that is marked again refuses with more. */
export function refusing<Hook extends object>(hook: Hook, ...errors: readonly RouteError[]): Hook {
  const before = (hook as Marked)[errorsOfHook] ?? []
  return Object.defineProperty(hook, errorsOfHook, { value: [...before, ...errors], configurable: true })
}

const HOOKS = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const

/** Of the handler and of the hooks of a route, each code once. */
export function errorsOfRoute(
  route: Pick<RouteOptions, 'schema' | (typeof HOOKS)[number]>
): readonly Required<RouteError>[] {
  const hooks = HOOKS.flatMap((name) => (route[name] ?? []) as object | object[])
  const listed = [...(route.schema?.errors ?? []), ...hooks.flatMap((hook) => (hook as Marked)[errorsOfHook] ?? [])]
  const byCode = new Map(listed.map(({ code, statusCode = 500 }) => [code, { code, statusCode }]))
  return [...byCode.values()]
}
