/** One method of one class on one path, with everything its decorators declare. */
import type { RateLimit } from 'svc-kernel'
import type { StandardParts } from 'svc-kernel/plugin'
import type { ControllerClass, ParameterDeclaration } from '../declarations/declarations.ts'
import type { RouteSettings } from '../declarations/route-settings.ts'
import type { RouteAccess } from './class-access.ts'
import type { RoutePath } from './route-path.ts'

/** The method to call, and its arguments. */
export interface Invocation {
  readonly Class: ControllerClass
  readonly key: string | symbol
  /** By position, without gaps. */
  readonly parameters: readonly ParameterDeclaration[]
}

export interface Endpoint extends RoutePath {
  /** `GET`, ..., or `WEBSOCKET`. */
  readonly method: string
  /** Route name; `null` uses the label. */
  readonly name: string | null
  /** `Class.method` */
  readonly label: string
  readonly source: string | null
  readonly settings: RouteSettings
  /** Schemas that validate themselves; the others are in `settings.schema`. */
  readonly standard: StandardParts
  readonly access: RouteAccess
  /** Of the class, of the method, and of `config.limits`. */
  readonly limits: readonly RateLimit[]
  readonly invocation: Invocation
}
