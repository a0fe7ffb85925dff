/** `@RequireScope`: the scope axis of a guard, merged into the same requirement as `@IsGranted`. */
import { callSite } from '../declarations/call-site.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'
import { showCall } from '../declarations/show-call.ts'

/**
 * Asks a machine token for a scope; a person's own login is never narrowed by it.
 *
 * @param scopes `api:action`; of a list, one suffices (OR)
 */
export function RequireScope(scopes: string | readonly string[]): ClassOrMethod {
  const guard = {
    decorator: showCall('RequireScope', [scopes]),
    source: callSite(RequireScope),
    kind: 'scope' as const,
    attributes: Array.isArray(scopes) ? scopes : [scopes],
    options: {}
  }
  return (target, name) => {
    onClassOrMethod(guard, target, name, ({ guards }) => {
      guards.unshift(guard)
    })
  }
}
