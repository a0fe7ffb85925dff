/**
 * Which methods of which controller answer a route: what tools refer to that write types or descriptions of it. Kept
 * beside the route and not in it, as nothing that serves requests needs it.
 */
import type { RouteSecurity } from '../access/requirement.ts'

/** A method of a controller, as its decorators declare it. */
export interface ControllerMethod {
  /** The class itself. */
  readonly Class: abstract new (
    ...given: never[]
  ) => unknown
  readonly key: string | symbol
  /** `file:line` of `@controller`; `null` when it is not known. */
  readonly source: string | null
  /** By position, without gaps. */
  readonly parameters: ReadonlyArray<{
    readonly kind: 'user' | 'body' | 'query' | 'param' | 'headers' | 'message' | 'context'
    readonly name: string | undefined
    readonly stream: boolean
    /** Of a message: whether it is read as bytes. */
    readonly binary: boolean
  }>
  /** Of the body, or of the message: whatever the route gave. */
  readonly bodySchema: unknown
  /** Whether `schema.hide` keeps the route out of every description. */
  readonly hidden: boolean
}

/** The methods behind one route. */
export interface RouteMethods {
  readonly http: ControllerMethod | null
  readonly websocket: ControllerMethod | null
}

const noted = new WeakMap<RouteSecurity, RouteMethods>()

/** @param svc `config.svc` of the route */
export function noteMethods(svc: RouteSecurity, methods: RouteMethods): void {
  noted.set(svc, methods)
}

/** `null` for a route that no controller declares. @param svc `config.svc` of the route */
export function methodsOf(svc: RouteSecurity | undefined): RouteMethods | null {
  return (svc === undefined ? undefined : noted.get(svc)) ?? null
}
