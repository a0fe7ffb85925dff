/** What all route decorators share: one declaration on one method. */
import type { RouteSettings } from '../declarations/declarations.ts'
import { type MethodOnly, onMethod } from '../declarations/declare.ts'
import { showCall } from '../declarations/show-call.ts'

/** Settings of the short forms, such as `@Get`. */
export interface ShortRouteSettings extends RouteSettings {
  /** Route name, unique in the application. Default: `Class.method`. */
  name?: string
}

export function declareRoute(
  decorator: string,
  methods: readonly unknown[],
  path: unknown,
  given: ShortRouteSettings = {},
  source: string | null
): MethodOnly {
  const { name, ...settings } = given
  const route = { decorator: showCall(decorator, [path]), source, name, methods, path, settings }
  return (target, key) => {
    onMethod(route, target, key, (method) => {
      method.routes.unshift(route)
    })
  }
}
