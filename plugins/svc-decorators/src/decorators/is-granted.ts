/** `@IsGranted`: the route, or every route of the class, asks the jury. */
import { callSite } from '../declarations/call-site.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'
import { showCall } from '../declarations/show-call.ts'

/**
 * Guards a method or a class. Stacked guards, and those of class and method, are one AND.
 *
 * @param attributes a role, a scope or a business verb; of a list, one granted attribute suffices (OR)
 * @param options `subject` names the route parameter whose value the voters get
 */
export function IsGranted(attributes: string | readonly string[], options: { subject?: string } = {}): ClassOrMethod {
  const guard = {
    decorator: showCall('IsGranted', [attributes, options.subject === undefined ? undefined : options]),
    source: callSite(IsGranted),
    kind: 'attribute' as const,
    attributes: Array.isArray(attributes) ? attributes : [attributes],
    options
  }
  return (target, name) => {
    onClassOrMethod(guard, target, name, ({ guards }) => {
      guards.unshift(guard)
    })
  }
}
